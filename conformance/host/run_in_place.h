// Where query says may_alias, output 0 may lie where input 0 lies.
#ifndef QCONFORM_CONFORMANCE_HOST_RUN_IN_PLACE_H_
#define QCONFORM_CONFORMANCE_HOST_RUN_IN_PLACE_H_

#include "conformance/host/made_plan.h"

namespace qconform {

// Runs the plan once in place, if both take the same bytes: without gaps, or in the same
// shape. Other bits than those of `run` are kInPlace.
void RunInPlace(const OperatorCall& call, AbiView& view, MadePlan& plan, FormatRun& run);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_RUN_IN_PLACE_H_
