// Clamps that cost nothing: into the bounds of the operator before.
#ifndef QCONFORM_CONFORMANCE_HOST_FOLD_CLAMPS_H_
#define QCONFORM_CONFORMANCE_HOST_FOLD_CLAMPS_H_

#include <functional>

#include "reference/lower/program.h"

namespace qconform {

// Whether the backend runs this operator of this program.
using AcceptsOperator =
    std::function<bool(const Program& program, const ProgramOperator& step)>;

// The same program with fewer steps. A RELU, RELU6 or CLAMP of 8-bit codes that nobody
// else reads, and that is a clamp of codes (its definition is tried on every code),
// becomes quant_min and quant_max of what the operator before it writes, where `accepts`
// takes that operator and all that read the result. Values keep their numbers; those that
// the folded operators would have written are no longer computed, all others are the
// same.
Program FoldClamps(const Program& program, const AcceptsOperator& accepts);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_FOLD_CLAMPS_H_
