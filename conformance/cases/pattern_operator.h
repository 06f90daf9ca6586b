// What the pattern of a config's row computes, in the words of the ABI.
#ifndef QCONFORM_CONFORMANCE_CASES_PATTERN_OPERATOR_H_
#define QCONFORM_CONFORMANCE_CASES_PATTERN_OPERATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/host/operator_call.h"
#include "reference/config/pattern.h"

namespace qconform {

struct PatternOperator {
  std::string_view name;  // as OperatorName gives it; "conv": a convolution of any rank
  int32_t activation = QC_ACTIVATION_NONE;  // that is fused behind it
  bool residual = false;                    // something is added before that

  std::string Name() const;  // "conv2d.relu.residual"
};

// nullopt: no operator of the ABI. Batch norms behind a convolution or linear fold, and
// an addition behind one is a residual.
std::optional<PatternOperator> OperatorOf(const Pattern& pattern);

// Whether the call asks for that, whatever its dtypes.
bool Computes(const PatternOperator& row, const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_PATTERN_OPERATOR_H_
