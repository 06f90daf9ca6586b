// Arithmetic of two operands in Halide. Scalar definition: reference/numerics, operators
// ADD, SUB and MUL.
#include <Halide.h>

#include "kernels/elementwise/schedule_x86.h"
#include "kernels/requantize/real_epilogue.h"

namespace {

using Halide::Buffer;
using Halide::Expr;
using Halide::Generator;
using Halide::GeneratorParam;
using Halide::Var;
using qconform::kernels::Ties;

enum class Operation { kAdd, kAddScaled, kSubtract, kMultiply };

// One row: output(i) = code of activation(real a(i) operation real b(i)).
class Elementwise : public Generator<Elementwise> {
 public:
  GeneratorParam<Ties> ties{
      "ties", Ties::kEven, {{"even", Ties::kEven}, {"away", Ties::kAway}}};
  GeneratorParam<Operation> operation{"operation",
                                      Operation::kAdd,
                                      {{"add", Operation::kAdd},
                                       {"add_scaled", Operation::kAddScaled},
                                       {"subtract", Operation::kSubtract},
                                       {"multiply", Operation::kMultiply}}};

  // Bytes of codes, of any stride; 0 repeats one.
  Input<Buffer<uint8_t, 1>> a{"a"};
  Input<Buffer<uint8_t, 1>> b{"b"};
  Input<uint8_t> a_flip{"a_flip"};
  Input<int32_t> a_zero_point{"a_zero_point"};
  Input<float> a_scale{"a_scale"};
  Input<uint8_t> b_flip{"b_flip"};
  Input<int32_t> b_zero_point{"b_zero_point"};
  Input<float> b_scale{"b_scale"};
  Input<float> alpha{"alpha"};    // of add_scaled
  Input<float> lowest{"lowest"};  // of the fused activation
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
    Expr x = qconform::kernels::Dequantize(a(i), {a_flip, a_zero_point, a_scale});
    Expr y = qconform::kernels::Dequantize(b(i), {b_flip, b_zero_point, b_scale});
    Expr value = qconform::kernels::ClampReal(Combine(x, y), lowest, highest);
    Expr code = qconform::kernels::RealToCode(value, reciprocal, lower, upper, zero_point,
                                              of_nan, ties);
    output(i) = qconform::kernels::PackCode(code, flip);

    for (auto* codes : {&a, &b}) codes->dim(0).set_min(0).set_stride(Expr());
    output.dim(0).set_min(0).set_stride(Expr());
    qconform::kernels::ScheduleRows(output, a, b, i, qconform::kernels::PathOf(target));
  }

 private:
  Expr Combine(const Expr& x, const Expr& y) {
    switch (static_cast<Operation>(operation)) {
      case Operation::kAdd:
        return x + y;
      case Operation::kAddScaled:
        // In double, rounded once, as torch does it.
        return Halide::cast<float>(Halide::cast<double>(x) +
                                   Halide::cast<double>(alpha) * Halide::cast<double>(y));
      case Operation::kSubtract:
        return x - y;
      case Operation::kMultiply:
        return x * y;
    }
    return Expr();
  }
};

}  // namespace

HALIDE_REGISTER_GENERATOR(Elementwise, elementwise)
