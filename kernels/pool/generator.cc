// Pooling in Halide: algorithm first, schedule in schedule_x86.h. Scalar definition:
// reference/numerics, operators MAX_POOL, AVG_POOL, ADAPTIVE_AVG_POOL.
//
// A kernel sees windows that are all of one size and lie equally far apart. The caller
// cuts an image into such parts (pool/window_groups.h) and gives strides for everything:
// `v` is the dimension that fills vectors, channels or the pixels of a row; the taps of a
// window and the windows themselves are dimensions of the same memory.
#include <Halide.h>

#include "kernels/pool/schedule_x86.h"
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

// output(v, x, y) = the largest input(v, tap.., x, y)
class PoolMax : public Generator<PoolMax> {
 public:
  // v, taps along width, height and depth, x, y.
  Input<Buffer<void, 6>> input{"input"};
  Output<Buffer<void, 3>> output{"output"};

  void generate() {
    Var v("v"), x("x"), y("y");
    RDom tap(0, input.dim(1).extent(), 0, input.dim(2).extent(), 0,
             input.dim(3).extent());
    Func most("most");
    most(v, x, y) = output.type().min();
    most(v, x, y) = Halide::max(most(v, x, y), input(v, tap.x, tap.y, tap.z, x, y));
    output(v, x, y) = most(v, x, y);

    qconform::kernels::AnyStride(input);
    qconform::kernels::AnyStride(output);
    qconform::kernels::ScheduleMax(output, most, input.dim(0), output.dim(0), v);
  }
};

// output(v, x, y) = code of the mean of input(v, tap.., x, y): float32, summed in the
// order of the taps, each operation rounded by itself.
class PoolAverage : public Generator<PoolAverage> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};
  // Adaptive pooling divides axis by axis: by depth, height and then divisor.
  GeneratorParam<bool> axis_by_axis{"axis_by_axis", false};

  Input<Buffer<uint8_t, 6>> input{"input"};
  Input<Buffer<float, 1>> divisor{"divisor"};  // by v; stride 0 repeats one
  Input<float> depth{"depth"};
  Input<float> height{"height"};
  Input<uint8_t> input_flip{"input_flip"};
  Input<int32_t> input_zero_point{"input_zero_point"};
  Input<float> scale{"scale"};
  Input<float> reciprocal{"reciprocal"};
  Input<float> lower{"lower"};
  Input<float> upper{"upper"};
  Input<int32_t> zero_point{"zero_point"};
  Input<int16_t> of_nan{"of_nan"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 3>> output{"output"};

  void generate() {
    Var v("v"), x("x"), y("y");
    RDom tap(0, input.dim(1).extent(), 0, input.dim(2).extent(), 0,
             input.dim(3).extent());
    Func sum("sum");
    sum(v, x, y) = 0.0f;
    sum(v, x, y) += qconform::kernels::Dequantize(input(v, tap.x, tap.y, tap.z, x, y),
                                                  {input_flip, input_zero_point, scale});
    Expr mean = axis_by_axis ? sum(v, x, y) / depth / height / divisor(v)
                             : sum(v, x, y) / divisor(v);
    Expr code = qconform::kernels::RealToCode(mean, reciprocal, lower, upper, zero_point,
                                              of_nan, ties);
    output(v, x, y) = qconform::kernels::PackCode(code, flip);

    qconform::kernels::AnyStride(input);
    qconform::kernels::AnyStride(divisor);
    qconform::kernels::AnyStride(output);
    qconform::kernels::ScheduleAverage(output, sum, input.dim(0), divisor.dim(0),
                                       output.dim(0), v,
                                       qconform::kernels::PathOf(target));
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(PoolMax, pool_max)
HALIDE_REGISTER_GENERATOR(PoolAverage, pool_average)
