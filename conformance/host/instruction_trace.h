// Which instructions a call really runs, by taking one step of the processor at a time.
#ifndef QCONFORM_CONFORMANCE_HOST_INSTRUCTION_TRACE_H_
#define QCONFORM_CONFORMANCE_HOST_INSTRUCTION_TRACE_H_

#include <cstdint>
#include <functional>

namespace qconform {

// Outside libc and its kin, which choose vectors by themselves, and this program.
struct InstructionTrace {
  int64_t instructions = 0;
  int64_t vex = 0;        // encoded as AVX and AVX2 are
  int64_t evex = 0;       // encoded as AVX-512 is
  bool complete = false;  // false: stopped watching before the end
};

// x86-64 only.
bool CanTraceInstructions();

// Calls `work` on this thread. What other threads do is not seen.
InstructionTrace TraceInstructions(const std::function<void()>& work);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_INSTRUCTION_TRACE_H_
