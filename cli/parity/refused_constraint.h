// Which constraint of which side refused a qconfig: one name for torch's warning of it
// and for our verdict.
#ifndef QCONFORM_CLI_PARITY_REFUSED_CONSTRAINT_H_
#define QCONFORM_CLI_PARITY_REFUSED_CONSTRAINT_H_

#include <string>

#include "reference/qconfig/constraint_check.h"

namespace qconform::parity {

// "activation range", "weight scale_min_lower_bound", "exact match"; a text that is none
// of torch's stands for itself.
std::string RefusedConstraint(const std::string& warning);
std::string RefusedConstraint(const ConstraintVerdict& refusal);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_REFUSED_CONSTRAINT_H_
