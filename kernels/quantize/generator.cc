// Float32 values to codes and back in Halide. Scalar definition: reference/numerics,
// quantize_value.h, under the scheme real/one/even/bias_f32/zp_after.
#include <Halide.h>

#include "kernels/quantize/schedule_x86.h"
#include "kernels/requantize/real_epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::Var;
using qconform::kernels::PathOf;
using qconform::kernels::Ties;

// Values to bytes: 128 higher where they are flipped to s8.
class QuantizeCodes : public Generator<QuantizeCodes> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<float, 1>> input{"input"};
  // (i or 0, which): the reciprocal of the scale; the lowest and the highest code less
  // the zero point; the zero point.
  Input<Buffer<float, 2>> parameters{"parameters"};
  Input<int16_t> of_nan{"of_nan"};
  Input<uint8_t> flip{"flip"};
  Output<Buffer<uint8_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr code = qconform::kernels::RealToCode(
        input(i), parameters(i, 0), parameters(i, 1), parameters(i, 2),
        Halide::cast<int32_t>(parameters(i, 3)), of_nan, ties);
    output(i) = qconform::kernels::PackCode(code, flip);
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleConversion(output, parameters, i, 4, PathOf(target));
  }
};

// Values to 32-bit codes. Everything after the product of float32 is exact in double,
// where 1.5 * 2^52 does what 1.5 * 2^23 does in requantize/epilogue.h.
class QuantizeIntegers : public Generator<QuantizeIntegers> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};

  Input<Buffer<float, 1>> input{"input"};
  Input<Buffer<double, 2>> parameters{"parameters"};  // as of QuantizeCodes
  Input<int32_t> of_nan{"of_nan"};
  Output<Buffer<int32_t, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr scaled = input(i) * Halide::cast<float>(parameters(i, 0));
    Expr clamped = Halide::min(
        Halide::max(Halide::cast<double>(scaled), parameters(i, 1)), parameters(i, 2));
    Expr code = Halide::cast<int32_t>(Round(clamped) + parameters(i, 3));
    output(i) = Halide::select(scaled == scaled, code, of_nan);
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleConversion(output, parameters, i, 1, PathOf(target));
  }

 private:
  Expr Round(const Expr& value) {
    if (static_cast<Ties>(ties) == Ties::kEven) {
      Expr magic = Halide::cast<double>(6755399441055744.0f);
      return (value + magic) - magic;
    }
    Expr whole = Halide::trunc(value);
    Expr step =
        Halide::select(value < 0, Halide::cast<double>(-1), Halide::cast<double>(1));
    return Halide::select(Halide::abs(value - whole) >= 0.5f, whole + step, whole);
  }
};

// Bytes to values; 0x80 flips s8 to bytes 128 higher.
class DequantizeCodes : public Generator<DequantizeCodes> {
 public:
  Input<Buffer<uint8_t, 1>> input{"input"};
  Input<uint8_t> flip{"flip"};
  // (i or 0, which): the zero point, the scale.
  Input<Buffer<float, 2>> parameters{"parameters"};
  Output<Buffer<float, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr code = Halide::cast<float>(Halide::cast<int32_t>(input(i) ^ flip));
    output(i) = (code - parameters(i, 0)) * parameters(i, 1);
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleConversion(output, parameters, i, 4, PathOf(target));
  }
};

// 32-bit codes to values: the difference is exact in double and rounded once.
class DequantizeIntegers : public Generator<DequantizeIntegers> {
 public:
  Input<Buffer<int32_t, 1>> input{"input"};
  Input<Buffer<double, 2>> parameters{"parameters"};  // as of DequantizeCodes
  Output<Buffer<float, 1>> output{"output"};

  void generate() {
    Var i("i");
    Expr distance = Halide::cast<double>(input(i)) - parameters(i, 0);
    output(i) = Halide::cast<float>(distance) * Halide::cast<float>(parameters(i, 1));
    input.dim(0).set_min(0);
    qconform::kernels::ScheduleConversion(output, parameters, i, 1, PathOf(target));
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(QuantizeCodes, quantize_codes)
HALIDE_REGISTER_GENERATOR(QuantizeIntegers, quantize_integers)
HALIDE_REGISTER_GENERATOR(DequantizeCodes, dequantize_codes)
HALIDE_REGISTER_GENERATOR(DequantizeIntegers, dequantize_integers)
