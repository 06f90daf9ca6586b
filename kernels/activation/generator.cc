// Functions of one code in Halide: what the plan found to give the same 256 codes as
// their scalar definition (reference/numerics, the operators of one element, PRELU and
// BATCH_NORM).
#include <Halide.h>

#include "kernels/activation/schedule_x86.h"
#include "kernels/requantize/epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::Var;
using qconform::kernels::Ties;

// output(i) = code of input(i) * slope(i) + offset(i), all of it in units of output
// codes.
class ActivationAffine : public Generator<ActivationAffine> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<uint8_t> input_flip{"input_flip"};
  Input<Buffer<float, 1>> slope{"slope"};    // stride 1, or 0 for one value
  Input<Buffer<float, 1>> offset{"offset"};  // the same
  Input<float> lowest{"lowest"};
  Input<float> highest{"highest"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr code = Halide::cast<float>(Halide::cast<int32_t>(input(i) ^ input_flip));
    Expr rounded = qconform::kernels::RoundScaledToCode(code * slope(i) + offset(i),
                                                        lowest, highest, 0, ties);
    output(i) = qconform::kernels::PackCode(rounded, flip);
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleAffine(output, slope, offset, i,
                                      qconform::kernels::PathOf(target));
  }
};

// The same up to a threshold; codes above it have one slope and one offset.
class ActivationTwoAffine : public Generator<ActivationTwoAffine> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<uint8_t> input_flip{"input_flip"};
  Input<Buffer<float, 1>> slope{"slope"};    // stride 1, or 0 for one value
  Input<Buffer<float, 1>> offset{"offset"};  // the same
  Input<int32_t> threshold{"threshold"};
  Input<float> upper_slope{"upper_slope"};
  Input<float> upper_offset{"upper_offset"};
  Input<float> lowest{"lowest"};
  Input<float> highest{"highest"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr code = Halide::cast<float>(Halide::cast<int32_t>(input(i) ^ input_flip));
    Expr scaled =
        Halide::select(code > Halide::cast<float>(threshold),
                       code * upper_slope + upper_offset, code * slope(i) + offset(i));
    Expr rounded = qconform::kernels::RoundScaledToCode(scaled, lowest, highest, 0, ties);
    output(i) = qconform::kernels::PackCode(rounded, flip);
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleAffine(output, slope, offset, i,
                                      qconform::kernels::PathOf(target));
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(ActivationAffine, activation_affine)
HALIDE_REGISTER_GENERATOR(ActivationTwoAffine, activation_two_affine)
