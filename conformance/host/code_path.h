// The code paths that a backend may name, and what this machine can know of a claim.
#ifndef QCONFORM_CONFORMANCE_HOST_CODE_PATH_H_
#define QCONFORM_CONFORMANCE_HOST_CODE_PATH_H_

#include <span>
#include <string>
#include <string_view>

#include "conformance/host/instruction_trace.h"
#include "conformance/host/operator_call.h"

namespace qconform {

// A name that QCONFORM_ISA may have; other names ("npu") are a backend's own, and nothing
// is known of them.
struct CodePath {
  std::string_view name;
  std::string_view architecture;
  std::string_view feature;  // in /proc/cpuinfo; "" for none
};

// Slowest first, for each architecture.
std::span<const CodePath> CodePaths();

// Why the claim cannot be true on this machine: it lacks the instructions, or `forced`
// (QCONFORM_ISA; empty: nothing) asks for less. "" if it can.
std::string PathObjection(std::string_view path, std::string_view forced);

// Why the instructions that ran contradict the claim. Of convolution, linear and matmul
// with whole vectors of products some must be the path's own.
std::string TraceObjection(std::string_view path, const OperatorCall& call,
                           const InstructionTrace& trace);

// Whether a trace could contradict the claim, and ends soon enough.
bool IsWorthATrace(std::string_view path, const OperatorCall& call);
// Whether TraceObjection would miss the path's own instructions.
bool MustVectorize(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CODE_PATH_H_
