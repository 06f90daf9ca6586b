// One function a family: it adds the family's definitions to a registry.
#ifndef QCONFORM_REFERENCE_OPS_BUILT_IN_H_
#define QCONFORM_REFERENCE_OPS_BUILT_IN_H_

#include "reference/ops/registry.h"

namespace qconform {}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_BUILT_IN_H_
