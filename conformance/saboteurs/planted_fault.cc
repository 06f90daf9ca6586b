// One saboteur: built once for each line of faults.inc with QCONFORM_FAULT set to its
// name, and linked with the same honest backend.
#include "conformance/saboteurs/fault.h"

namespace saboteur {

extern const Fault kFault = Fault::QCONFORM_FAULT;

}  // namespace saboteur

const qc_backend* qconform_backend(uint32_t major, uint32_t) {
  return major == QC_ABI_MAJOR ? saboteur::Table() : nullptr;
}
