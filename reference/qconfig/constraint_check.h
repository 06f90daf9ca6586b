// Whether a qconfig satisfies the constraints of a backend's dtype config.
#ifndef QCONFORM_REFERENCE_QCONFIG_CONSTRAINT_CHECK_H_
#define QCONFORM_REFERENCE_QCONFIG_CONSTRAINT_CHECK_H_

#include <string>

#include "reference/config/dtype_config.h"
#include "reference/config/mode.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

struct ConstraintVerdict {
  bool satisfied = true;
  // When not: the constraint's name and one line with both values.
  std::string constraint;
  std::string reason;
  // In torch mode: what strict mode would refuse, in the same words. Not enforced.
  std::string finding = {};
  explicit operator bool() const { return satisfied; }
};

// The activation's or the weight's observer against one dtype's constraints. A
// different dtype is not this check's business and satisfies. Torch mode checks
// only what _qconfig_satisfies_dtype_config_constraints checks: the range when
// both of its bounds are declared, the lower bound of the scale, exact values
// when both are declared. Strict mode checks every bound by itself, also the
// upper bound of the scale (against a fixed scale), and what torch cannot declare: the
// qscheme, the granularity and the axis of the channels.
ConstraintVerdict SatisfiesConstraints(const QConfigPointer& qconfig,
                                       const DTypeWithConstraints& constraints,
                                       bool is_activation, Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_CONSTRAINT_CHECK_H_
