#include "reference/native/reference_values.h"

#include "reference/ir/error.h"
#include "reference/ops/elements.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {

std::optional<DType> ReferenceWeightDType(const Module& module, const std::string& name) {
  const Argument* value = module.attributes.Find(name + "_dtype");
  if (value == nullptr) return std::nullopt;
  if (const DType* dtype = value->As<DType>()) return *dtype;
  if (const OpaqueValue* opaque = value->As<OpaqueValue>()) {
    return ParseDType(opaque->text);
  }
  return ParseDType(module.Text(name + "_dtype", ""));
}

Tensor ReferenceWeight(const Module& module, const std::string& name) {
  const Tensor* weight = module.FindTensor(name);
  if (weight == nullptr) {
    throw PipelineError("AttributeError", module.type + " has no attribute " + name);
  }
  const DType dtype = ReferenceWeightDType(module, name).value_or(DType::kQUInt8);
  if (dtype == DType::kFloat16) return Cast(*weight, DType::kFloat16);
  const std::string qscheme = module.Text(name + "_qscheme", "None");
  if (!IsQuantizedDType(dtype) || qscheme == "None") {
    throw PipelineError("ValueError", "Unsupported dtype and qscheme: " +
                                          std::string(DTypeName(dtype)) + ", " + qscheme);
  }
  return QuantizedWeight(module, name, Call("weight of " + module.type, {}));
}

void CopyAttributes(const Module& from, std::initializer_list<const char*> names,
                    Module& to) {
  for (const char* name : names) {
    const Argument* value = from.attributes.Find(name);
    if (value != nullptr) to.attributes.Set(name, *value);
  }
}

std::optional<Tensor> OptionalParameter(const Module& module, const std::string& name) {
  const Tensor* tensor = module.FindTensor(name);
  return tensor == nullptr ? std::nullopt : std::optional<Tensor>(*tensor);
}

}  // namespace qconform
