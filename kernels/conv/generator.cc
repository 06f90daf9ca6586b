// Convolution in Halide: algorithm first, schedule in schedule_x86.h. Scalar
// definition: reference/numerics, operator CONV.
//
// Both kernels see a convolution as a sum over `taps` of a run of activations that lie
// side by side in memory. The caller lays the activations out padded, channels
// innermost, and gives the position of every output pixel's first activation
// (pixel_offset) and of every tap relative to it (tap_offset). Strides, dilation,
// padding, groups and batch are thus all in two small tables.
#include <Halide.h>

#include <optional>

#include "kernels/conv/schedule_arm.h"
#include "kernels/conv/schedule_x86.h"
#include "kernels/conv/short_sums.h"
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

// The activation at `index`; the promise says that the tables stay inside.
template <typename Input>
Expr At(Input& input, Expr index) {
  return input(Halide::unsafe_promise_clamped(index, 0, input.dim(0).extent() - 1));
}

// Every output channel reads every activation of its group.
//   sum(n, m) = start(n) + sum over tap, i of
//               input(pixel_offset(m) + tap_offset(tap) + i) * weight(n, tap, i)
class ConvTile : public Generator<ConvTile> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};
  GeneratorParam<bool> narrow{"narrow", false};
  GeneratorParam<int> group{"group", 2};  // products an instruction: 2 or 4
  // Products whose sum is taken in 16 bits first: 0, or 2 or 4 with groups of 4.
  GeneratorParam<int> short_sum{"short_sum", 0};

  Input<Buffer<void, 1>> input{"input"};
  Input<Buffer<int32_t, 1>> pixel_offset{"pixel_offset"};
  Input<Buffer<int32_t, 1>> tap_offset{"tap_offset"};
  // (i % group, n % lanes, vector of n, i / group, tap, block of n): a vector of
  // weights is contiguous, and the blocks are read from front to back.
  Input<Buffer<void, 6>> weight{"weight"};
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
        narrow ? qconform::kernels::NarrowTile(path) : qconform::kernels::WideTile(path);
    if (short_sum > 0) tile = qconform::kernels::ShortSumTile(tile);
    Var n("n"), m("m"), k("k"), tap("tap");
    RDom r(0, group, 0, weight.dim(3).extent(), 0, weight.dim(4).extent());
    Func sum("sum"), code("code"), value("value");
    value(k, m, tap) = At(input, pixel_offset(m) + tap_offset(tap) + k);
    sum(n, m) = start(n);
    const auto weight_at = [&](Expr in_group, Expr step, Expr of_tap) {
      return weight(in_group, n % tile.lanes, (n / tile.lanes) % tile.vectors, step,
                    of_tap, n / tile.Block());
    };
    std::optional<ShortSums> short_sums;
    if (short_sum > 0) {
      const int quads = short_sum / 2;
      short_sums.emplace(value, weight_at, n, m, quads);
      r = RDom(0, 2, 0, weight.dim(3).extent() / quads, 0, weight.dim(4).extent());
      sum(n, m) += Halide::cast<int32_t>(short_sums->At(r.x, m, r.y, r.z));
    } else {
      sum(n, m) += Halide::cast<int32_t>(value(r.y * group + r.x, m, r.z)) *
                   Halide::cast<int32_t>(weight_at(r.x, r.y, r.z));
    }
    if (output.type() == Halide::Int(32)) {
      output(n, m) = sum(n, m);
    } else {
      code(n, m) = qconform::kernels::RoundToCode(sum(n, m), bias(n), multiplier(n),
                                                  lower, upper, zero_point, ties);
      output(n, m) = qconform::kernels::PackCode(code(n, m), flip);
    }

    ScheduleTile(output, code, sum, n, m, tile, r.x, r.y, r.z);
    if (short_sums) short_sums->Schedule(sum, tile);
    if (path == qconform::kernels::Path::kDotProd && group == 4)
      qconform::kernels::StageActivations(sum, value, k, m, r.y);
    weight.dim(0).set_bounds(0, group);
    weight.dim(1).set_bounds(0, tile.lanes).set_stride(group);
    weight.dim(2).set_bounds(0, tile.vectors).set_stride(group * tile.lanes);
    weight.dim(3).set_min(0).set_stride(group * tile.Block());
    weight.dim(4).set_min(0);
    weight.dim(5).set_min(0);
    start.dim(0).set_min(0);
    input.dim(0).set_min(0);
    pixel_offset.dim(0).set_min(0);
    tap_offset.dim(0).set_min(0);
    bias.dim(0).set_min(0);
    multiplier.dim(0).set_min(0);
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
  }
};

// Every output channel reads one input channel. The caller interleaves each activation
// with the one at the next tap to its right, so that pmaddwd can sum two taps of one
// channel; an odd last tap meets a weight of zero.
//   sum(n, m) = start(n) + sum over tap pair, i of
//               input(pixel_offset(m) + tap_offset(pair) + 2 n + i) * weight(n, pair, i)
class ConvDepthwise : public Generator<ConvDepthwise> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<int16_t, 1>> input{"input"};
  Input<Buffer<int32_t, 1>> pixel_offset{"pixel_offset"};
  Input<Buffer<int32_t, 1>> tap_offset{"tap_offset"};
  // (i, n % lanes, 1, 1, pair, block of n); the rank of ConvTile's weights.
  Input<Buffer<int16_t, 6>> weight{"weight"};
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
    const Tile tile = qconform::kernels::DepthwiseTile(qconform::kernels::PathOf(target));
    Var n("n"), m("m");
    RDom r(0, 2, 0, weight.dim(4).extent());
    Func sum("sum"), code("code");
    sum(n, m) = start(n);
    sum(n, m) +=
        Halide::cast<int32_t>(
            At(input, pixel_offset(m) + tap_offset(r.y) + n * 2 + r.x)) *
        Halide::cast<int32_t>(weight(r.x, n % tile.lanes, 0, 0, r.y, n / tile.lanes));
    if (output.type() == Halide::Int(32)) {
      output(n, m) = sum(n, m);
    } else {
      code(n, m) = qconform::kernels::RoundToCode(sum(n, m), bias(n), multiplier(n),
                                                  lower, upper, zero_point, ties);
      output(n, m) = qconform::kernels::PackCode(code(n, m), flip);
    }

    ScheduleTile(output, code, sum, n, m, tile, r.x, r.y);
    weight.dim(0).set_bounds(0, 2);
    weight.dim(1).set_bounds(0, tile.lanes).set_stride(2);
    weight.dim(2).set_bounds(0, 1);
    weight.dim(3).set_bounds(0, 1);
    weight.dim(4).set_min(0).set_stride(2 * tile.lanes);
    weight.dim(5).set_min(0);
    input.dim(0).set_min(0);
    pixel_offset.dim(0).set_min(0);
    tap_offset.dim(0).set_min(0);
    start.dim(0).set_min(0);
    bias.dim(0).set_min(0);
    multiplier.dim(0).set_min(0);
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ConvTile, conv_tile)
HALIDE_REGISTER_GENERATOR(ConvDepthwise, conv_depthwise)
