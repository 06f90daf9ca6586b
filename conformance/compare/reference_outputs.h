// What the reference computes for a call.
#ifndef QCONFORM_CONFORMANCE_COMPARE_REFERENCE_OUTPUTS_H_
#define QCONFORM_CONFORMANCE_COMPARE_REFERENCE_OUTPUTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

using Bytes = std::vector<std::byte>;

// Dense outputs of the scalar definition under `scheme` (empty: the operator's first
// one). nullopt: the reference has no definition of this call under that scheme.
std::optional<std::vector<Bytes>> ReferenceOutputs(const OperatorCall& call,
                                                   const std::string& scheme);

// Why the reference has no definition of the call; "" if it has. Data are not needed.
std::string ReferenceObjection(const OperatorCall& call);

// The reference's own scheme for the call, whatever it asks for; "" without a definition.
std::string ReferenceScheme(const OperatorCall& call);

// Schemes under which the reference can compute the call, its own first.
std::vector<std::string> ReferenceSchemes(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_REFERENCE_OUTPUTS_H_
