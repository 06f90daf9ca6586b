// QConfigs at a dtype config's bounds, and one smallest step beside each of them.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_CONSTRAINT_STEP_H_
#define QCONFORM_CONFORMANCE_CONTRACT_CONSTRAINT_STEP_H_

#include <string>
#include <vector>

#include "reference/config/dtype_config.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

struct ConstraintStep {
  // "satisfied", "activation.quant_min.one_below", "weight.dtype.other": the side, what
  // is changed, and how.
  std::string name;
  QConfigPointer qconfig;
};

// The first satisfies every bound, and stands right at it. The others change one thing
// each: a bound overstepped by one code or by one unit in the last place, not reached by
// as much, or left unsaid; another dtype; dynamic or not; a missing side.
// `training`: with fake-quantizers in the place of observers.
std::vector<ConstraintStep> ConstraintSteps(const DTypeConfig& config,
                                            bool training = false);

// The first of them.
QConfigPointer SatisfyingQConfig(const DTypeConfig& config, bool training = false);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_CONSTRAINT_STEP_H_
