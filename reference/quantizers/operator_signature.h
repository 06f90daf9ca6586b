// The parameters of ATen operators, for comparing calls that leave defaults out with
// calls that do not.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_OPERATOR_SIGNATURE_H_
#define QCONFORM_REFERENCE_QUANTIZERS_OPERATOR_SIGNATURE_H_

#include <optional>
#include <string>
#include <vector>

#include "reference/ir/graph.h"

namespace qconform {

struct OperatorParameter {
  std::string name;
  // Absent for a parameter that must be given.
  std::optional<Argument> fallback;
  bool keyword_only = false;
};

// nullptr for an operator that no pattern of the library is about.
const std::vector<OperatorParameter>* SignatureOf(const std::string& target);

// The arguments of a call by position, defaults filled in; None where one that must be
// given is missing. Nothing for an operator without a signature.
std::optional<std::vector<Argument>> AllArguments(const Node& node);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_OPERATOR_SIGNATURE_H_
