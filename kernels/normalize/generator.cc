// Normalization in Halide. Scalar definition: reference/numerics,
// batch_norm_operator.cc, and norm_operator.cc with row_normalization.h.
#include <Halide.h>

#include "kernels/normalize/schedule_x86.h"
#include "kernels/requantize/real_epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::Var;
using qconform::kernels::Ties;

// A row, or the part of it that has one pair of parameters: output(i) = code of
// activation( (x - mean) * scale * gamma(i) + beta(i)), in double and rounded once to
// float32.
class NormalizeRow : public Generator<NormalizeRow> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<uint8_t> input_flip{"input_flip"};
  Input<int32_t> input_zero_point{"input_zero_point"};
  Input<float> input_scale{"input_scale"};
  Input<double> mean{"mean"};
  Input<double> scale{"scale"};
  Input<Buffer<float, 1>> gamma{"gamma"};  // stride 1, or 0 for one value
  Input<Buffer<float, 1>> beta{"beta"};    // the same
  Input<float> lowest{"lowest"};           // of the fused activation
  Input<float> highest{"highest"};
  Input<float> reciprocal{"reciprocal"};
  Input<float> lower{"lower"};
  Input<float> upper{"upper"};
  Input<int32_t> zero_point{"zero_point"};
  Input<int16_t> of_nan{"of_nan"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr x = Halide::cast<double>(qconform::kernels::Dequantize(
        input(i), {input_flip, input_zero_point, input_scale}));
    Expr value = Halide::cast<float>((x - mean) * scale * Halide::cast<double>(gamma(i)) +
                                     Halide::cast<double>(beta(i)));
    Expr code = qconform::kernels::RealToCode(
        qconform::kernels::ClampReal(value, lowest, highest), reciprocal, lower, upper,
        zero_point, of_nan, ties);
    output(i) = qconform::kernels::PackCode(code, flip);

    input.dim(0).set_min(0);
    output.dim(0).set_min(0);
    for (auto* parameters : {&gamma, &beta})
      parameters->dim(0).set_min(0).set_stride(Expr());
    qconform::kernels::ScheduleNormalizedRow(output, gamma, beta, i,
                                             qconform::kernels::PathOf(target));
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(NormalizeRow, normalize_row)
