// Modules of the user's own classes, which bring their observed and quantized classes.
#ifndef QCONFORM_REFERENCE_OBSERVE_CUSTOM_MODULE_H_
#define QCONFORM_REFERENCE_OBSERVE_CUSTOM_MODULE_H_

#include <functional>
#include <memory>

#include "reference/ir/module.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare_custom_config.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// How a qconfig quantizes. (torch.ao.quantization.quant_type.QuantType)
enum class QuantType { kDynamic, kStatic, kWeightOnly };

// Throws PipelineError("Exception") for dtypes that no type fits. (get_quant_type)
QuantType QuantTypeOf(const QConfig& qconfig);

// Makes the observed module of a float one: an observed class's from_float.
using CustomObservation = std::function<std::shared_ptr<Module>(
    const Module& float_module, const QConfig& qconfig)>;

// The observed, resp. quantized class of a module under a qconfig. Throw
// PipelineError("AssertionError") if there is none. (get_swapped_custom_module_class)
const std::string& ObservedClassOf(const PrepareCustomConfig& config,
                                   const std::string& type, const QConfig& qconfig);
const std::string& QuantizedClassOf(const ConvertCustomConfig& config,
                                    const std::string& type, const QConfig& qconfig);

// Whether the class is a key for any type. (get_custom_module_class_keys)
bool IsObservedCustomClass(const ConvertCustomConfig& config, const std::string& type);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_CUSTOM_MODULE_H_
