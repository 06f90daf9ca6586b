// One run: the cases in order, each recorded as soon as it is judged.
#ifndef QCONFORM_CONFORMANCE_VERDICT_SESSION_H_
#define QCONFORM_CONFORMANCE_VERDICT_SESSION_H_

#include <csignal>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/case_source.h"
#include "conformance/verdict/summary.h"

namespace qconform {

struct SessionOptions {
  std::string suite;         // name in the header
  std::string suite_digest;  // of the case source
  std::string config_digest;
  std::filesystem::path journal;  // empty: none
  bool resume = false;            // go on with `journal`, skip what it holds
  // Set from outside (a signal handler) to stop after the case in flight.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // Told each record, and how many of how many are done.
  std::function<void(const CaseRecord&, size_t, size_t)> on_record;
};

struct SessionResult {
  Summary summary;
  RunFooter footer;
  bool interrupted = false;
  size_t resumed = 0;  // cases taken over from the journal

  int exit_code() const { return summary.ExitCode(footer.selected, interrupted); }
};

// Runs the cases. With `resume` the journal must be of the same suite and backend
// (else InputError).
SessionResult RunSession(const std::vector<CaseSource>& cases, const Subject& subject,
                         const SessionOptions& options);

// Name, version, digest and file of a backend that `worker` has loaded.
BackendIdentity IdentityOf(Worker& worker, const std::filesystem::path& file);

// Processor, features, cores, kernel and QCONFORM_ISA of this machine.
std::map<std::string, std::string> MachineFacts();

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_SESSION_H_
