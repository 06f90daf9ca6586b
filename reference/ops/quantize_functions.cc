// torch.quantize_*, dequantize and torch.ops.quantized_decomposed; the arithmetic is in
// reference/numerics.
#include <cmath>

#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/decomposed.h"
#include "reference/numerics/quantize.h"
#include "reference/ops/axis.h"
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/names.h"

namespace qconform {
namespace {

DType RequiredDType(const Call& call, size_t position, const char* keyword) {
  const std::optional<DType> dtype = call.OptionalDType(position, keyword);
  if (!dtype) call.Fail(std::string("missing argument '") + keyword + "'", "a dtype");
  return *dtype;
}

Value QuantizeTensor(const Call& call, QuantizeMode mode) {
  const Tensor& input = call.TensorAt(0, "input");
  const DType dtype = RequiredDType(call, 3, "dtype");
  if (!IsQuantizedDType(dtype)) {
    call.Fail("dtype " + std::string(DTypeName(dtype)), "quint8, qint8 or qint32");
  }
  return QuantizePerTensor(input, call.Real(1, "scale"), call.Integer(2, "zero_point"),
                           dtype, mode);
}

Value QuantizeTensorDynamic(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const DType dtype = RequiredDType(call, 1, "dtype");
  const bool reduce_range = call.Boolean(2, "reduce_range", false);
  if (dtype == DType::kFloat16) return Cast(input, dtype);
  if (dtype != DType::kQUInt8 && dtype != DType::kQInt8) {
    call.Fail("dtype " + std::string(DTypeName(dtype)), "quint8, qint8 or float16");
  }
  return QuantizePerTensorDynamic(input, dtype, reduce_range);
}

// Scales and zero points of the slices of an axis of `input`.
struct ChannelQparams {
  std::vector<double> scales;
  std::vector<double> zero_points;
  int axis;
};

ChannelQparams ReadChannelQparams(const Call& call, const Tensor& input) {
  ChannelQparams result;
  const Tensor& scales = call.TensorAt(1, "scales");
  result.scales = ReadElements<double>(scales);
  const Tensor* zero_points = call.OptionalTensor(2, "zero_points");
  result.zero_points = zero_points == nullptr
                           ? std::vector<double>(result.scales.size(), 0.0)
                           : ReadElements<double>(*zero_points);
  result.axis = NormalizeAxis(call.Integer(3, "axis"), input.rank(), call);
  if (input.rank() == 0 ||
      static_cast<int64_t>(result.scales.size()) != input.dim(result.axis) ||
      result.zero_points.size() != result.scales.size()) {
    call.Fail(std::to_string(result.scales.size()) + " scales and " +
                  std::to_string(result.zero_points.size()) + " zero points on axis " +
                  std::to_string(result.axis) + " of " + ShapeText(input.shape()),
              "one of each for each slice");
  }
  return result;
}

Value QuantizeChannels(const Call& call, QuantizeMode mode) {
  const Tensor& input = call.TensorAt(0, "input");
  const ChannelQparams qparams = ReadChannelQparams(call, input);
  const DType dtype = RequiredDType(call, 4, "dtype");
  if (!IsQuantizedDType(dtype)) {
    call.Fail("dtype " + std::string(DTypeName(dtype)), "quint8, qint8 or qint32");
  }
  if (IsFloatingDType(call.TensorAt(2, "zero_points").dtype())) {
    return QuantizePerChannelFloatQparams(input, qparams.scales, qparams.zero_points,
                                          qparams.axis, dtype, mode);
  }
  return QuantizePerChannel(input, qparams.scales, qparams.zero_points, qparams.axis,
                            dtype);
}

Value DequantizeTensor(const Tensor& tensor) {
  if (!tensor.quantization()) return Cast(tensor, DType::kFloat32);
  return Dequantize(tensor);
}

Value DequantizeFunction(const Call& call) {
  const Value& value = call.Get(0, "input");
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    ValueSequence result{{}, sequence->is_tuple};
    for (const Tensor& tensor : call.Tensors(0, "input")) {
      result.items.push_back(DequantizeTensor(tensor));
    }
    return result;
  }
  return DequantizeTensor(call.TensorAt(0, "input"));
}

Value DecomposedQuantize(const Call& call) {
  return DecomposedQuantizePerTensor(
      call.TensorAt(0, "input"), call.Real(1, "scale"), call.Integer(2, "zero_point"),
      call.Integer(3, "quant_min"), call.Integer(4, "quant_max"),
      RequiredDType(call, 5, "dtype"));
}

void CheckCodes(const Call& call, const Tensor& codes, DType dtype) {
  if (codes.dtype() != dtype) {
    call.Fail("codes are " + ValueText(codes), std::string(DTypeName(dtype)));
  }
}

Value DecomposedDequantize(const Call& call) {
  const Tensor& codes = call.TensorAt(0, "input");
  CheckCodes(call, codes, RequiredDType(call, 5, "dtype"));
  return DecomposedDequantizePerTensor(
      codes, call.Real(1, "scale"), call.Integer(2, "zero_point"),
      call.Integer(3, "quant_min"), call.Integer(4, "quant_max"),
      call.OptionalDType(6, "out_dtype").value_or(DType::kFloat32));
}

Value DecomposedQuantizeChannels(const Call& call) {
  const Tensor& input = call.TensorAt(0, "input");
  const ChannelQparams qparams = ReadChannelQparams(call, input);
  return DecomposedQuantizePerChannel(input, qparams.scales, qparams.zero_points,
                                      qparams.axis, call.Integer(4, "quant_min"),
                                      call.Integer(5, "quant_max"),
                                      RequiredDType(call, 6, "dtype"));
}

Value DecomposedDequantizeChannels(const Call& call) {
  const Tensor& codes = call.TensorAt(0, "input");
  const ChannelQparams qparams = ReadChannelQparams(call, codes);
  CheckCodes(call, codes, RequiredDType(call, 6, "dtype"));
  return DecomposedDequantizePerChannel(
      codes, qparams.scales, qparams.zero_points, qparams.axis,
      call.Integer(4, "quant_min"), call.Integer(5, "quant_max"),
      call.OptionalDType(7, "out_dtype").value_or(DType::kFloat32));
}

FunctionDefinition DecomposedChoose(bool symmetric) {
  return [symmetric](const Call& call) -> Value {
    const Tensor& input = call.TensorAt(0, "input");
    const auto choose =
        symmetric ? DecomposedChooseQparamsSymmetric : DecomposedChooseQparams;
    const ChosenQparams chosen =
        choose(input, call.Integer(1, "quant_min"), call.Integer(2, "quant_max"),
               call.Real(3, "eps"), RequiredDType(call, 4, "dtype"));
    return Value::Tuple(
        {Tensor::FromVector<double>(DType::kFloat64, {1}, {chosen.scale}),
         Tensor::FromVector<int64_t>(DType::kInt64, {1}, {chosen.zero_point})});
  };
}

}  // namespace

void AddQuantization(Registry& registry, QuantizeMode mode) {
  const auto add = [&](const char* target, Value (*define)(const Call&, QuantizeMode)) {
    registry.AddFunction(target,
                         [define, mode](const Call& call) { return define(call, mode); });
  };
  add("torch.quantize_per_tensor", QuantizeTensor);
  add("torch.quantize_per_channel", QuantizeChannels);
  registry.AddFunction("torch.quantize_per_tensor_dynamic", QuantizeTensorDynamic);
  AddTensorFunction(registry, "dequantize", DequantizeFunction);
  // Sequences have no method of that name.
  registry.AddMethod("dequantize", [](const Call& call) -> Value {
    return DequantizeTensor(call.TensorAt(0, "input"));
  });
  const std::string decomposed = "quantized_decomposed.";
  for (const char* overload : {"default", "tensor", "tensor2"}) {
    const std::string suffix = std::string("per_tensor.") + overload;
    registry.AddFunction(decomposed + "quantize_" + suffix, DecomposedQuantize);
    registry.AddFunction(decomposed + "dequantize_" + suffix, DecomposedDequantize);
  }
  registry.AddFunction(decomposed + "quantize_per_channel.default",
                       DecomposedQuantizeChannels);
  registry.AddFunction(decomposed + "dequantize_per_channel.default",
                       DecomposedDequantizeChannels);
  registry.AddFunction(decomposed + "choose_qparams.tensor", DecomposedChoose(false));
  registry.AddFunction(decomposed + "choose_qparams_symmetric.tensor",
                       DecomposedChoose(true));
  registry.AddFunction(
      decomposed + "convert_element_type.no_fuse", [](const Call& call) -> Value {
        return Cast(call.TensorAt(0, "input"), RequiredDType(call, 1, "dtype"));
      });
}

}  // namespace qconform
