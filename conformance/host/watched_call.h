// One call of a backend's function, with what it must leave alone looked at.
#ifndef QCONFORM_CONFORMANCE_HOST_WATCHED_CALL_H_
#define QCONFORM_CONFORMANCE_HOST_WATCHED_CALL_H_

#include <string>

#include "conformance/host/asked_call.h"
#include "conformance/host/manners.h"
#include "conformance/host/run_memory.h"

namespace qconform {

// "QC_OK", "status 7".
std::string StatusText(qc_status status);

// The text of a struct of the ABI, ended or not.
template <size_t N>
std::string TextOf(const char (&text)[N]) {
  return {text, strnlen(text, N)};
}

// A changed floating point environment, or another handler of memory faults than the
// expected one, is a problem of the run, and is put back.
template <typename Work>
qc_status Watched(FormatRun& run, const char* phase, const Work& work) {
  BeginPhase(phase);
  const FloatingPointEnvironment before;
  const qc_status status = work();
  const std::string change = before.Restore();
  if (!change.empty())
    SetProblem(run, RunProblem::kEnvironment, phase, std::string(phase) + " " + change);
  if (RestoreFaultHandler())
    SetProblem(run, RunProblem::kSignal, phase,
               std::string(phase) + " replaces the handler of SIGSEGV");
  return status;
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_WATCHED_CALL_H_
