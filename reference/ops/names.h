// Registration of one definition under all the names that torch has for it.
#ifndef QCONFORM_REFERENCE_OPS_NAMES_H_
#define QCONFORM_REFERENCE_OPS_NAMES_H_

#include <string>

#include "reference/ops/registry.h"

namespace qconform {

// torch.NAME and the tensor method NAME.
void AddTensorFunction(Registry& registry, const std::string& name,
                       const FunctionDefinition& definition);

// torch.NAME_ and the method NAME_, which write the result into their first argument:
// it must have the result's shape, the result takes its dtype.
void AddInPlaceFunction(Registry& registry, const std::string& name,
                        const FunctionDefinition& definition);

// torch.nn.functional.NAME.
void AddNnFunction(Registry& registry, const std::string& name,
                   const FunctionDefinition& definition);

// The definition that writes the result of `definition` into its first argument.
FunctionDefinition InPlace(const FunctionDefinition& definition);

// Writes `result` into the storage of `target`, as InPlace does.
Tensor WriteInto(const Tensor& target, const Tensor& result, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_NAMES_H_
