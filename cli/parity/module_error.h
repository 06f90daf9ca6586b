// What the rules of error_bound.h need to know about values and modules.
#ifndef QCONFORM_CLI_PARITY_MODULE_ERROR_H_
#define QCONFORM_CLI_PARITY_MODULE_ERROR_H_

#include <memory>
#include <string>

#include "reference/ir/module.h"
#include "reference/ops/value.h"

namespace qconform::parity {

// Own rounding of an elementwise function: vectorized exponentials of both sides are
// good to 2 ulp each, with as much for the operations around them.
inline constexpr double kFunctionRounding = 8 * 0x1p-24;

// nullptr for anything but a float32 tensor.
inline const Tensor* FloatTensor(const Value& value) {
  const Tensor* tensor = value.As<Tensor>();
  return tensor != nullptr && tensor->dtype() == DType::kFloat32 ? tensor : nullptr;
}

// Every float tensor of a value, changed by `change`.
template <typename Change>
Value MapTensors(const Value& value, const Value& error, const Change& change) {
  if (const Tensor* tensor = FloatTensor(value))
    return change(*tensor, FloatTensor(error));
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    const ValueSequence* errors = error.As<ValueSequence>();
    ValueSequence result{{}, sequence->is_tuple};
    for (size_t i = 0; i < sequence->items.size(); ++i) {
      result.items.push_back(MapTensors(
          sequence->items[i], errors == nullptr ? Value() : errors->items[i], change));
    }
    return result;
  }
  return value;
}

// The error of a value that is known to no bound.
Value Unbounded(const Value& value);

// The float module that a module computes with, its weight and bias at their largest: |w|
// and half a step, at most one step, of quantization.
std::shared_ptr<Module> LargestModule(const Module& module);

// An operator or module of the native engines.
bool IsNative(const std::string& operation);

// The largest |element| of a value.
double LargestSize(const Value& value);

// Engines dequantize an integer sum and add the bias in an order of their own:
// E(y) = 8 u (|y| + 2 |b|), whose product is at most |y| + |b|.
Value DynamicLinearError(const Module& module, const Value& value);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_MODULE_ERROR_H_
