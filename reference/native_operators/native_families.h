// One function a family: it adds the family's definitions to a registry.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_FAMILIES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_FAMILIES_H_

#include <memory>
#include <string>

#include "reference/native_operators/memory_format.h"
#include "reference/ops/registry.h"

namespace qconform {

// Float operators, functions, methods and modules, on quantized tensors.
void AddQuantizedTensorOperators(Registry& registry, const std::string& engine,
                                 const std::shared_ptr<const MemoryFormats>& formats);
void AddNativeWeighted(Registry& registry, const std::string& engine);
void AddNativeDynamic(Registry& registry, const std::string& engine);
void AddNativeRecurrent(Registry& registry, const std::string& engine);
void AddNativeBinary(Registry& registry, const std::string& engine);
void AddNativeActivations(Registry& registry);
void AddNativeEmbeddings(Registry& registry);
// After the others, whose operators it uses.
void AddNativeQuantizable(Registry& registry);
// Around all that are there: `formats` has what torch's tensors would have.
void FollowMemoryFormats(Registry& registry, const std::string& engine,
                         const std::shared_ptr<MemoryFormats>& formats);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_NATIVE_FAMILIES_H_
