// What a quantized module takes over from its reference module.
#ifndef QCONFORM_REFERENCE_NATIVE_REFERENCE_VALUES_H_
#define QCONFORM_REFERENCE_NATIVE_REFERENCE_VALUES_H_

#include <initializer_list>
#include <optional>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

// The dtype in the attribute <name>_dtype; nullopt if there is none.
std::optional<DType> ReferenceWeightDType(const Module& module, const std::string& name);

// Quantized, or float16 for that dtype. Throws PipelineError("ValueError") for a dtype
// and scheme that torch has no quantized tensor for. (get_quantized_weight)
Tensor ReferenceWeight(const Module& module, const std::string& name);

// Sets in `to` those of the attributes that `from` has.
void CopyAttributes(const Module& from, std::initializer_list<const char*> names,
                    Module& to);

// The parameter, or nullopt.
std::optional<Tensor> OptionalParameter(const Module& module, const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_REFERENCE_VALUES_H_
