// What the float model of a golden gives on the golden's own inputs.
#ifndef QCONFORM_CONFORMANCE_CASES_FLOAT_OUTPUTS_H_
#define QCONFORM_CONFORMANCE_CASES_FLOAT_OUTPUTS_H_

#include <optional>
#include <vector>

#include "reference/golden/golden.h"

namespace qconform {

// The prepared graph with its observers passing everything on. nullopt where the golden
// leaves its tensors out, or where it has modules that only training runs.
std::optional<std::vector<Tensor>> FloatOutputs(const Golden& golden,
                                                const std::vector<Tensor>& inputs);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_FLOAT_OUTPUTS_H_
