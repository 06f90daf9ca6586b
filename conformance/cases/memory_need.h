// What a row takes before anything is made of it: a case of 2^31 elements that does not
// fit would end the worker, and look like a fault of the backend.
#ifndef QCONFORM_CONFORMANCE_CASES_MEMORY_NEED_H_
#define QCONFORM_CONFORMANCE_CASES_MEMORY_NEED_H_

#include <cstdint>
#include <string>

#include "conformance/cases/suite_row.h"

namespace qconform {

struct MemoryNeed {
  uint64_t worker_bytes = 0;   // that the worker maps at most, without the backend's own
  uint64_t harness_bytes = 0;  // beside it
};

// Of a completed row, from its shapes alone.
MemoryNeed MemoryNeedOf(const SuiteRow& row);

// Bytes that the machine has to give; 0: not known.
uint64_t AvailableMemory();

// What such a reason begins with.
inline constexpr char kNotRun[] = "not run: ";

// Why a row cannot be run here, "" if it can. `worker_limit` 0: none; `available` 0: not
// known.
std::string MemoryObjection(const MemoryNeed& need, uint64_t worker_limit,
                            uint64_t available);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_MEMORY_NEED_H_
