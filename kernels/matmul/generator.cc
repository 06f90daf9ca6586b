// Products of real values in Halide. Scalar definition: reference/numerics, operator
// MATMUL, and the real scheme of CONV and LINEAR.
#include <Halide.h>

#include "kernels/matmul/schedule_x86.h"
#include "kernels/requantize/real_epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Func;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::RDom;
using Halide::Var;
using qconform::kernels::Ties;
using qconform::kernels::Tile;

// Products are added up in order in blocks of so many, and the blocks' sums in order.
constexpr int kDepthBlock = 256;

//   sum(n, m) = sum over k of a(row_offset(m) + depth_offset(k)) * b(n, k)
// Where the rows of `a` are windows of an image, all their geometry is in the tables.
class Matmul : public Generator<Matmul> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<float, 1>> a{"a"};
  Input<Buffer<int32_t, 1>> row_offset{"row_offset"};  // of whole tiles
  Input<Buffer<int32_t, 1>> depth_offset{"depth_offset"};
  // (n % lanes, vector of n, k, block of n), blocks whole
  Input<Buffer<float, 4>> b{"b"};
  Input<float> reciprocal{"reciprocal"};
  Input<float> lower{"lower"};
  Input<float> upper{"upper"};
  Input<int32_t> zero_point{"zero_point"};
  Input<int16_t> of_nan{"of_nan"};
  Input<uint8_t> flip{"flip"};
  // Codes in bytes, or the sums themselves in float32.
  Output<Buffer<void, 2>> output{"output"};

  void generate() {
    const Tile tile = qconform::kernels::MatmulTile(qconform::kernels::PathOf(target));
    Var n("n"), m("m"), d("d");
    Expr terms = depth_offset.dim(0).extent();
    RDom block(0, terms / kDepthBlock, "block");
    RDom k(0, kDepthBlock, "k");
    RDom last(0, terms % kDepthBlock, "last");
    Func sum("sum"), depth("depth"), tail("tail"), code("code");
    const auto product = [&](Expr at) {
      Expr place = Halide::unsafe_promise_clamped(row_offset(m) + depth_offset(at), 0,
                                                  a.dim(0).extent() - 1);
      return a(place) *
             b(n % tile.lanes, (n / tile.lanes) % tile.vectors, at, n / tile.Block());
    };
    depth(n, m, d) = 0.0f;
    depth(n, m, d) += product(d * kDepthBlock + k.x);
    tail(n, m) = 0.0f;
    tail(n, m) += product(terms / kDepthBlock * kDepthBlock + last.x);
    sum(n, m) = 0.0f;
    sum(n, m) += depth(n, m, block.x);
    sum(n, m) += tail(n, m);
    if (output.type() == Halide::Float(32)) {
      output(n, m) = sum(n, m);
    } else {
      code(n, m) = qconform::kernels::RealToCode(sum(n, m), reciprocal, lower, upper,
                                                 zero_point, of_nan, ties);
      output(n, m) = qconform::kernels::PackCode(code(n, m), flip);
    }

    qconform::kernels::ScheduleMatmul(output, code, sum, depth, tail, n, m, d, tile,
                                      block.x, k.x, last.x);
    b.dim(0).set_bounds(0, tile.lanes);
    b.dim(1).set_bounds(0, tile.vectors).set_stride(tile.lanes);
    b.dim(2).set_min(0).set_stride(tile.Block());
    b.dim(3).set_min(0);
    a.dim(0).set_min(0);
    row_offset.dim(0).set_min(0);
    depth_offset.dim(0).set_min(0);
    output.dim(0).set_min(0);
    output.dim(1).set_min(0);
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Matmul, matmul)
