// Known mistakes, each computed: if a backend's output equals what one mistake would
// give, to the bit, the cause has a name.
#ifndef QCONFORM_CONFORMANCE_COMPARE_HYPOTHESES_H_
#define QCONFORM_CONFORMANCE_COMPARE_HYPOTHESES_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/compare/reference_outputs.h"
#include "conformance/host/operator_call.h"

namespace qconform {

struct Cause {
  std::string name;  // "padding", "rounding", "bias", ...
  std::string text;  // one line, what was found
};

// The first mistake that explains all of `got`. `scheme` is the one that was compared.
std::optional<Cause> FindMistake(const OperatorCall& call, const std::string& scheme,
                                 const std::vector<Bytes>& got);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_COMPARE_HYPOTHESES_H_
