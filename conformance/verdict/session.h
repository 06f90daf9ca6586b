// One run: the cases by as many workers as asked for, each recorded as soon as it is
// judged. What a run adds up to does not depend on the order of its verdicts.
#ifndef QCONFORM_CONFORMANCE_VERDICT_SESSION_H_
#define QCONFORM_CONFORMANCE_VERDICT_SESSION_H_

#include <csignal>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/shard.h"
#include "conformance/verdict/case_source.h"
#include "conformance/verdict/known_failures.h"
#include "conformance/verdict/summary.h"

namespace qconform {

struct SessionOptions {
  std::string suite;                 // name in the header
  std::string suite_digest;          // of the case source
  std::string config_digest;         // of the subject's config
  std::string config;                // its JSON text
  Shard shard;                       // that the cases are
  std::string isa;                   // forced code path, if it is not the environment's
  std::vector<std::string> missing;  // what cannot run here, for the footer
  const KnownFailures* known = nullptr;
  std::string today;              // year-month-day, for `known`
  std::filesystem::path journal;  // empty: none
  bool resume = false;            // go on with `journal`, skip what it holds
  size_t jobs = 1;
  // Another worker of the same subject, for each job but the first.
  std::function<std::unique_ptr<CallTarget>()> another_worker;
  int repeat = 1;                // times that each case must give the same
  std::optional<uint64_t> seed;  // shuffles the order
  // Set from outside (a signal handler) to stop after the cases in flight.
  const volatile std::sig_atomic_t* interrupted = nullptr;
  // Told each record, and how many of how many are done; one call at a time.
  std::function<void(const CaseRecord&, size_t, size_t)> on_record;
};

struct SessionResult {
  Summary summary;
  RunHeader header;
  std::vector<CaseRecord> records;  // in the order of the cases
  RunFooter footer;
  bool interrupted = false;
  size_t resumed = 0;  // cases taken over from the journal

  int exit_code() const { return summary.ExitCode(footer.selected, interrupted); }
};

// Runs the cases. With `resume` the journal must be of the same suite and backend
// (else InputError); one that was killed before its first line was whole starts anew.
SessionResult RunSession(const std::vector<CaseSource>& cases, const Subject& subject,
                         const SessionOptions& options);

// Name, version, digest and file of a backend that `target` has loaded.
BackendIdentity IdentityOf(CallTarget& target, const std::filesystem::path& file);

// Processor, features, cores, kernel and QCONFORM_ISA of this machine.
std::map<std::string, std::string> MachineFacts();

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_SESSION_H_
