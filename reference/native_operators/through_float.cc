#include "reference/native_operators/through_float.h"

#include "reference/numerics/quantize.h"

namespace qconform {
namespace {

Value Dequantized(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    return tensor->quantization() ? Value(Dequantize(*tensor)) : value;
  }
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    ValueSequence result{{}, sequence->is_tuple};
    for (const Value& item : sequence->items) result.items.push_back(Dequantized(item));
    return result;
  }
  return value;
}

const Tensor* FirstQuantizedIn(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    return tensor->quantization() ? tensor : nullptr;
  }
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    for (const Value& item : sequence->items) {
      if (const Tensor* found = FirstQuantizedIn(item)) return found;
    }
  }
  return nullptr;
}

}  // namespace

Call DequantizedCall(const Call& call) {
  std::vector<Value> args;
  for (size_t i = 0; i < call.args().size(); ++i) {
    args.push_back(Dequantized(call.Get(i, "")));
  }
  OrderedMap<Value> kwargs;
  for (const auto& [name, value] : call.kwargs()) {
    kwargs.Set(name, Dequantized(call.Get(call.args().size(), name.c_str())));
  }
  return Call(call.where(), std::move(args), std::move(kwargs));
}

const Tensor* FirstQuantized(const Call& call) {
  for (const Value& value : call.args()) {
    if (const Tensor* found = FirstQuantizedIn(value)) return found;
  }
  for (const auto& [name, value] : call.kwargs()) {
    if (const Tensor* found = FirstQuantizedIn(value)) return found;
  }
  return nullptr;
}

Value QuantizeValue(const Value& value, const QuantizationParameters& parameters,
                    DType dtype) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    if (tensor->dtype() != DType::kFloat32) return value;
    return QuantizePerTensor(*tensor, parameters.scale.at(0),
                             static_cast<int64_t>(parameters.zero_point.at(0)), dtype);
  }
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    ValueSequence result{{}, sequence->is_tuple};
    for (const Value& item : sequence->items) {
      result.items.push_back(QuantizeValue(item, parameters, dtype));
    }
    return result;
  }
  return value;
}

}  // namespace qconform
