// Linear layers in Halide: algorithm first, schedule in schedule_x86.h. Scalar
// definition: reference/numerics, operator LINEAR.
#include <Halide.h>

#include <optional>

#include "kernels/conv/schedule_arm.h"
#include "kernels/conv/short_sums.h"
#include "kernels/linear/schedule_x86.h"
#include "kernels/requantize/epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::RDom;
using Halide::Var;
using qconform::kernels::ShortSums;
using qconform::kernels::Ties;
using qconform::kernels::Tile;

// sum(n, m) = start(n) + sum over k of input(k, m) * weight(n, k)
class Linear : public Generator<Linear> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};
  GeneratorParam<bool> row{"row", false};  // one row of input, not a tile of rows
  GeneratorParam<int> group{"group", 2};   // products an instruction: 2 or 4
  // Products whose sum is taken in 16 bits first: 0, or 2 or 4 with groups of 4.
  GeneratorParam<int> short_sum{"short_sum", 0};

  Input<Buffer<void, 2>> input{"input"};
  // (k % group, n % lanes, vector of n, k / group, block of n)
  Input<Buffer<void, 5>> weight{"weight"};
  Input<Buffer<int32_t, 1>> start{"start"};
  Input<Buffer<float, 1>> bias{"bias"};
  Input<Buffer<float, 1>> multiplier{"multiplier"};
  Input<float> lower{"lower"};
  Input<float> upper{"upper"};
  Input<int32_t> zero_point{"zero_point"};
  Input<uint8_t> flip{"flip"};
  // Codes in bytes, or the accumulators themselves in 32 bits.
  Output<Buffer<void, 2>> output{"output"};

  void generate() {
    const qconform::kernels::Path path = qconform::kernels::PathOf(target);
    Tile tile =
        row ? qconform::kernels::LinearRow(path) : qconform::kernels::LinearTile(path);
    if (short_sum > 0) tile = qconform::kernels::ShortSumTile(tile);
    Var n("n"), m("m"), k("k");
    RDom r(0, group, 0, weight.dim(3).extent());
    Func sum("sum"), code("code"), value("value");
    const auto weight_at = [&](Expr in_group, Expr step) {
      return weight(in_group, n % tile.lanes, (n / tile.lanes) % tile.vectors, step,
                    n / tile.Block());
    };
    value(k, m) = input(k, m);
    sum(n, m) = start(n);
    std::optional<ShortSums> short_sums;
    if (short_sum > 0) {
      const int quads = short_sum / 2;
      // The sums of a convolution with one tap.
      Func of_tap("of_tap");
      Var tap("tap");
      of_tap(k, m, tap) = value(k, m);
      short_sums.emplace(
          of_tap,
          [&](Expr in_group, Expr step, Expr) { return weight_at(in_group, step); }, n, m,
          quads);
      r = RDom(0, 2, 0, weight.dim(3).extent() / quads);
      sum(n, m) += Halide::cast<int32_t>(short_sums->At(r.x, m, r.y, 0));
    } else {
      Expr w = weight_at(r.x, r.y);
      // A single row keeps its weights as bytes (half the memory to stream) and widens
      // them here; only then do two of them fit pmaddwd.
      if (group == 2) w = Halide::cast<int16_t>(w);
      sum(n, m) +=
          Halide::cast<int32_t>(value(r.y * group + r.x, m)) * Halide::cast<int32_t>(w);
    }
    if (output.type() == Halide::Int(32)) {
      output(n, m) = sum(n, m);
    } else {
      code(n, m) = qconform::kernels::RoundToCode(sum(n, m), bias(n), multiplier(n),
                                                  lower, upper, zero_point, ties);
      output(n, m) = qconform::kernels::PackCode(code(n, m), flip);
    }

    ScheduleTile(output, code, sum, n, m, tile, r.x, r.y);
    if (short_sums) short_sums->Schedule(sum, tile);
    if (path == qconform::kernels::Path::kDotProd && group == 4)
      qconform::kernels::StageActivations(sum, value, k, m, r.y);
    weight.dim(0).set_bounds(0, group);
    weight.dim(1).set_bounds(0, tile.lanes).set_stride(group);
    weight.dim(2).set_bounds(0, tile.vectors).set_stride(group * tile.lanes);
    weight.dim(3).set_min(0).set_stride(group * tile.Block());
    weight.dim(4).set_min(0);
    input.dim(0).set_min(0);
    input.dim(1).set_min(0);
    start.dim(0).set_min(0);
    bias.dim(0).set_min(0);
    multiplier.dim(0).set_min(0);
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Linear, linear)
