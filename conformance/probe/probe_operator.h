// Which rounding an operator without an accumulator uses: sums, products, pooling,
// activations, conversions.
#ifndef QCONFORM_CONFORMANCE_PROBE_PROBE_OPERATOR_H_
#define QCONFORM_CONFORMANCE_PROBE_PROBE_OPERATOR_H_

#include <string>
#include <vector>

#include "conformance/host/call_target.h"
#include "conformance/probe/probe_report.h"

namespace qconform {

// Names that ProbeOperator knows: those of suites whose output is codes that are rounded.
std::vector<std::string> ProbedOperators();

// By elimination among the reference's schemes of the operator, on data where they
// differ: values at halves, scales whose reciprocal is not exact. Quantize is asked for
// NaN and infinities too. Without an accepted call, `form` of the report is empty and
// `first_disagreement` says what was refused. Throws InputError for a name that is not
// known.
ProbeReport ProbeOperator(CallTarget& target, const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_PROBE_OPERATOR_H_
