// torch.ops.aten under the names that exported programs use.
#ifndef QCONFORM_REFERENCE_OPS_ATEN_FUNCTIONS_H_
#define QCONFORM_REFERENCE_OPS_ATEN_FUNCTIONS_H_

#include "reference/ops/registry.h"

namespace qconform {

// After all others: these are other names of theirs.
void AddAten(Registry& registry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_ATEN_FUNCTIONS_H_
