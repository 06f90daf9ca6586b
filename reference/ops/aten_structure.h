// The operators of exported programs that move, make or convert tensors, and attention.
#ifndef QCONFORM_REFERENCE_OPS_ATEN_STRUCTURE_H_
#define QCONFORM_REFERENCE_OPS_ATEN_STRUCTURE_H_

#include "reference/ops/registry.h"

namespace qconform {

// After AddAten, some of whose definitions it replaces.
void AddAtenStructure(Registry& registry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_ATEN_STRUCTURE_H_
