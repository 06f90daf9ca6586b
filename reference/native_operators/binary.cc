// quantized.add, mul and matmul, and add and mul of a number.
#include <algorithm>
#include <cmath>

#include "reference/native_operators/fixed_point_add.h"
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/through_float.h"
#include "reference/ops/broadcast.h"

namespace qconform {
namespace {

const Tensor& Codes(const Call& call, size_t position, const char* keyword) {
  const Tensor& tensor = call.TensorAt(position, keyword);
  if (!tensor.quantization() || tensor.quantization()->axis >= 0) {
    call.Fail(std::string(keyword) + " is " + ValueText(tensor),
              "a per tensor quantized tensor");
  }
  return tensor;
}

// The same integers read with other parameters.
Tensor WithParameters(const Tensor& codes, double scale, int64_t zero_point) {
  Tensor result = codes.Clone();
  result.set_quantization(PerTensor(scale, zero_point));
  return result;
}

void SetCode(Tensor& codes, int64_t index, int64_t code) {
  if (codes.dtype() == DType::kQInt8) {
    codes.data<int8_t>()[index] = static_cast<int8_t>(code);
  } else if (codes.dtype() == DType::kQInt32) {
    codes.data<int32_t>()[index] = static_cast<int32_t>(code);
  } else {
    codes.data<uint8_t>()[index] = static_cast<uint8_t>(code);
  }
}

void RaiseToZeroPoint(Tensor& codes) {
  const auto zero_point = static_cast<int64_t>(codes.quantization()->zero_point.at(0));
  for (int64_t i = 0; i < codes.numel(); ++i) {
    if (codes.IntegerAt(i) < zero_point) SetCode(codes, i, zero_point);
  }
}

// The number becomes a whole count of steps that moves the zero point; where that leaves
// the codes' range, the codes are requantized to a wider step. (quantized add_scalar)
Tensor AddNumber(const Tensor& a, double number) {
  const double scale = a.quantization()->scale.at(0);
  const double zero_point = a.quantization()->zero_point.at(0);
  const IntegerRange range = CodeRange(a.dtype());
  const auto low = static_cast<double>(range.min);
  const auto high = static_cast<double>(range.max);
  const double moved = zero_point - std::nearbyint(number / scale);
  if (moved >= low && moved <= high) {
    return WithParameters(a, scale, static_cast<int64_t>(moved));
  }
  const bool below = moved < low;
  const double wide = below ? scale * (high - moved) / (high - low)
                            : scale * (moved - low) / (high - low);
  const double edge = below ? low : high;
  Tensor result(a.dtype(), a.shape());
  result.set_quantization(PerTensor(wide, static_cast<int64_t>(edge)));
  // at::requantize_from_int: the difference times the ratio of the steps, in float32.
  const float ratio = static_cast<float>(scale) / static_cast<float>(wide);
  for (int64_t i = 0; i < a.numel(); ++i) {
    const float difference =
        static_cast<float>(static_cast<double>(a.IntegerAt(i)) - moved);
    const double code = std::nearbyint(difference * ratio) + edge;
    SetCode(result, i, static_cast<int64_t>(std::clamp(code, low, high)));
  }
  return result;
}

// A positive number widens the step, a negative one mirrors the codes as well.
// (quantized mul_scalar)
Tensor MulByNumber(const Tensor& a, double number) {
  const double scale = a.quantization()->scale.at(0);
  const double zero_point = a.quantization()->zero_point.at(0);
  if (number > 0) {
    return WithParameters(a, scale * number, static_cast<int64_t>(zero_point));
  }
  Tensor result(a.dtype(), a.shape());
  if (number == 0) {
    result.set_quantization(PerTensor(1.0, 0));
    return result;
  }
  const IntegerRange range = CodeRange(a.dtype());
  const int64_t mirror = range.min + range.max;
  result.set_quantization(
      PerTensor(scale * std::fabs(number), mirror - static_cast<int64_t>(zero_point)));
  for (int64_t i = 0; i < a.numel(); ++i) SetCode(result, i, mirror - a.IntegerAt(i));
  return result;
}

bool IsNumber(const Value& value) {
  return value.As<double>() != nullptr || value.As<int64_t>() != nullptr ||
         value.As<bool>() != nullptr;
}

// The product of centered codes times the ratio of the steps, in float32. (qmul)
Tensor MulCodes(const Tensor& a, const Tensor& b, const QuantizationParameters& output,
                bool relu, const Call& call) {
  const Shape shape = BroadcastShapes(a.shape(), b.shape(), call.where());
  const auto plain = [&](const Tensor& codes) {
    Tensor centered(DType::kFloat32, codes.shape());
    const double zero_point = codes.quantization()->zero_point.at(0);
    for (int64_t i = 0; i < codes.numel(); ++i) {
      centered.data<float>()[i] =
          static_cast<float>(static_cast<double>(codes.IntegerAt(i)) - zero_point);
    }
    return BroadcastTo(centered, shape, call.where());
  };
  const Tensor left = plain(a);
  const Tensor right = plain(b);
  const float inverse = 1.0f / static_cast<float>(output.scale.at(0));
  const float multiplier = static_cast<float>(a.quantization()->scale.at(0)) *
                           static_cast<float>(b.quantization()->scale.at(0)) * inverse;
  const IntegerRange range = CodeRange(a.dtype());
  const double low = relu ? output.zero_point.at(0) : static_cast<double>(range.min);
  Tensor result(a.dtype(), shape);
  result.set_quantization(output);
  for (int64_t i = 0; i < result.numel(); ++i) {
    // Both factors fit 9 bits, so that the product is exact.
    const float product = left.data<float>()[i] * right.data<float>()[i];
    const double code = std::nearbyint(product * multiplier) + output.zero_point.at(0);
    SetCode(result, i,
            static_cast<int64_t>(std::clamp(code, low, static_cast<double>(range.max))));
  }
  return result;
}

FunctionDefinition Binary(qc_operator_kind kind, bool relu, const std::string& engine) {
  return [kind, relu, is_qnnpack = engine == "qnnpack"](const Call& call) -> Value {
    // The number may stand on either side.
    const bool number_first = IsNumber(call.Get(0, "a"));
    const size_t tensor_at = number_first ? 1 : 0;
    const Tensor& a = Codes(call, tensor_at, "qa");
    if (number_first || IsNumber(call.Get(1, "b"))) {
      const double number = call.Real(1 - tensor_at, "b");
      Tensor result = kind == QC_ADD ? AddNumber(a, number) : MulByNumber(a, number);
      if (relu) RaiseToZeroPoint(result);
      return result;
    }
    const Tensor& b = Codes(call, 1, "qb");
    const QuantizationParameters output =
        PerTensor(call.Real(2, "scale"), call.Integer(3, "zero_point"));
    if (kind == QC_MUL) return MulCodes(a, b, output, relu, call);
    if (is_qnnpack && AddsInFixedPoint(a, b)) return AddInFixedPoint(a, b, output, relu);
    OperatorRun run;
    run.kind = kind;
    run.inputs = {&a, &b};
    if (relu) run.attributes.activation = QC_ACTIVATION_RELU;
    return RunOperator(run, a.dtype(),
                       BroadcastShapes(a.shape(), b.shape(), call.where()), output, call);
  };
}

// torch dequantizes, multiplies and quantizes: any two ranks that torch.matmul takes.
FunctionDefinition Matmul(const FunctionDefinition& product) {
  return [product](const Call& call) -> Value {
    const Tensor& a = Codes(call, 0, "qa");
    const Tensor& b = Codes(call, 1, "qb");
    const QuantizationParameters output =
        PerTensor(call.Real(2, "scale"), call.Integer(3, "zero_point"));
    if (a.rank() < 2 || a.rank() != b.rank()) {
      const Call plain(call.where(), {a, b});
      return QuantizeValue(product(DequantizedCall(plain)), output, a.dtype());
    }
    Shape shape = a.shape();
    shape.back() = b.shape().back();
    OperatorRun run;
    run.kind = QC_MATMUL;
    run.inputs = {&a, &b};
    return RunOperator(run, a.dtype(), shape, output, call);
  };
}

}  // namespace

void AddNativeBinary(Registry& registry, const std::string& engine) {
  for (const bool relu : {false, true}) {
    const std::string ending = relu ? "_relu" : "";
    registry.AddFunction("quantized.add" + ending, Binary(QC_ADD, relu, engine));
    registry.AddFunction("quantized.mul" + ending, Binary(QC_MUL, relu, engine));
  }
  registry.AddFunction("quantized.matmul",
                       Matmul(*registry.FindFunction("torch.matmul")));
}

}  // namespace qconform
