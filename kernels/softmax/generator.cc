// The end of softmax in Halide. Scalar definition: reference/numerics,
// softmax_operator.cc.
#include <Halide.h>

#include "kernels/requantize/real_epilogue.h"
#include "kernels/softmax/schedule_x86.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::Var;
using qconform::kernels::Ties;

// output(i) = code of exponential(i) / sum, divided in double and rounded once to
// float32.
class SoftmaxCodes : public Generator<SoftmaxCodes> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<double, 1>> exponential{"exponential"};
  Input<double> sum{"sum"};
  Input<float> reciprocal{"reciprocal"};
  Input<float> lower{"lower"};
  Input<float> upper{"upper"};
  Input<int32_t> zero_point{"zero_point"};
  Input<int16_t> of_nan{"of_nan"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr value = Halide::cast<float>(exponential(i) / sum);
    Expr code = qconform::kernels::RealToCode(value, reciprocal, lower, upper, zero_point,
                                              of_nan, ties);
    output(i) = qconform::kernels::PackCode(code, flip);
    exponential.dim(0).set_min(0);
    output.dim(0).set_min(0);
    qconform::kernels::ScheduleQuotients(output, i, qconform::kernels::PathOf(target));
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(SoftmaxCodes, softmax_codes)
