// The names that a backend config or a qconfig mapping may use.
#ifndef QCONFORM_REFERENCE_LINT_KNOWN_NAMES_H_
#define QCONFORM_REFERENCE_LINT_KNOWN_NAMES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/config/pattern.h"

namespace qconform {

// Classes, functions and methods of torch, and what the built-in configs name; sorted.
// Functions have their canonical names.
const std::vector<std::string>& KnownOperations();
bool IsKnownOperation(std::string_view name);

// Whether the name would have to stand in KnownOperations to exist: it begins with
// torch.nn., torch.ao.nn., torch.<name>, operator. or builtins., or is a method.
bool IsTorchName(std::string_view name);

// Adds the names of classes, functions and methods in a pattern.
void AddAtoms(const Pattern& pattern, std::set<std::string>& names);

// A method of tensors, which has no dot in its name.
bool IsMethodName(std::string_view name);

// The nearest known operation as a hint: ", nearest known name X", or "".
std::string NearestOperationHint(std::string_view name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_KNOWN_NAMES_H_
