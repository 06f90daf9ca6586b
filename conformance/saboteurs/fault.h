// The faults, and which of them this saboteur has.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_FAULT_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_FAULT_H_

#include "kernels/abi/qconform_backend.h"

namespace saboteur {

enum class Fault {
#define FAULT(name, verdict, cause, number, text) name,
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

// The only thing in which two saboteurs differ: planted_fault.cc.
extern const Fault kFault;

// The honest backend with that fault.
const qc_backend* Table();

}  // namespace saboteur

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_FAULT_H_
