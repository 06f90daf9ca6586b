// Which memory format the result of an operator has, and what depends on it: views that
// torch refuses, and QNNPACK's clamps. Measured with torch 2.14.1.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_FORMAT_RULES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_FORMAT_RULES_H_

#include <string>

#include "reference/convert/memory_format_names.h"
#include "reference/ir/module.h"
#include "reference/native_operators/memory_format.h"
#include "reference/ops/call.h"

namespace qconform {

// A call that has given `result`, with its first tensor.
struct Followed {
  const std::string& name;  // the last part
  const Call& call;
  const Module* module;  // nullptr for functions and methods
  const std::string& engine;
  MemoryFormats& formats;
  const Tensor& input;
  const Placement& from;
  Value& result;

  // The result, if it is a tensor.
  Tensor* Output() const { return result.As<Tensor>(); }
  bool IsFloat() const { return !input.quantization() && !Output()->quantization(); }
  // Where the argument lay before the call.
  Placement Of(const Tensor& argument) const {
    return &argument == &input ? from : formats.Of(argument);
  }
  bool IsInPlace() const {
    if (module != nullptr) return module->Boolean("inplace", false);
    const Value* value = call.kwargs().Find("inplace");
    const bool* given = value == nullptr ? nullptr : value->As<bool>();
    return name.ends_with("_") || (given != nullptr && *given);
  }
};

// Sets the result's strides; not for kSliced (sliced_strides.h).
void ApplyFormatRule(MemoryFormatRule rule, const Followed& followed);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_FORMAT_RULES_H_
