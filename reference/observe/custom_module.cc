#include "reference/observe/custom_module.h"

#include "reference/ir/error.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/quantization_dtypes.h"

namespace qconform {
namespace {

// The dtypes that get_quant_type calls static.
bool IsStaticDType(DType dtype) {
  return IsInEveryQuantizationList(dtype) || dtype == DType::kQInt32 ||
         dtype == DType::kQUInt4x2;
}

const std::string& ClassOf(const OrderedMap<std::string>& static_classes,
                           const OrderedMap<std::string>& dynamic_classes,
                           const OrderedMap<std::string>& weight_only_classes,
                           const std::string& type, const QConfig& qconfig) {
  const OrderedMap<std::string>* classes = nullptr;
  switch (QuantTypeOf(qconfig)) {
    case QuantType::kDynamic:
      classes = &dynamic_classes;
      break;
    case QuantType::kStatic:
      classes = &static_classes;
      break;
    case QuantType::kWeightOnly:
      classes = &weight_only_classes;
      break;
  }
  const std::string* found = classes->Find(type);
  if (found == nullptr) found = classes->Find(QuantizableAlias(type));
  if (found == nullptr) {
    throw PipelineError("AssertionError",
                        "did not find corresponding observed module class for " + type);
  }
  return *found;
}

}  // namespace

QuantType QuantTypeOf(const QConfig& qconfig) {
  if (!qconfig.activation || !qconfig.weight) {
    throw PipelineError("TypeError", "a qconfig lacks its activation or weight");
  }
  const std::shared_ptr<Observer> activation = MakeObserver(*qconfig.activation);
  const std::shared_ptr<Observer> weight = MakeObserver(*qconfig.weight);
  if (IsStaticDType(weight->dtype)) {
    if (activation->is_dynamic) return QuantType::kDynamic;
    return IsStaticDType(activation->dtype) ? QuantType::kStatic : QuantType::kWeightOnly;
  }
  if (weight->dtype == DType::kFloat16) {
    if (activation->is_dynamic) return QuantType::kDynamic;
    if (activation->dtype == DType::kFloat16) return QuantType::kStatic;
  }
  throw PipelineError("Exception",
                      "Unrecognized dtype combination in get_quant_type: activation(" +
                          std::string(DTypeName(activation->dtype)) + "),weight(" +
                          std::string(DTypeName(weight->dtype)) + ")");
}

const std::string& ObservedClassOf(const PrepareCustomConfig& config,
                                   const std::string& type, const QConfig& qconfig) {
  return ClassOf(config.static_observed_classes, config.dynamic_observed_classes,
                 config.weight_only_observed_classes, type, qconfig);
}

const std::string& QuantizedClassOf(const ConvertCustomConfig& config,
                                    const std::string& type, const QConfig& qconfig) {
  return ClassOf(config.static_quantized_classes, config.dynamic_quantized_classes,
                 config.weight_only_quantized_classes, type, qconfig);
}

bool IsObservedCustomClass(const ConvertCustomConfig& config, const std::string& type) {
  for (const std::string& name : {type, QuantizableAlias(type)}) {
    if (config.static_quantized_classes.Contains(name) ||
        config.dynamic_quantized_classes.Contains(name) ||
        config.weight_only_quantized_classes.Contains(name)) {
      return true;
    }
  }
  return false;
}

}  // namespace qconform
