// Who is judged: what run, doctor, repro and shrink share. Here, and only here, the
// spelling of --backend decides what kind of subject it is.
#ifndef QCONFORM_CLI_SUBJECT_H_
#define QCONFORM_CLI_SUBJECT_H_

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conformance/cases/subject_config.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

struct SubjectOptions {
  bool shorten_after_hangs = false;  // as WorkerOptions says
  std::string backend;
  std::string config;
  double timeout_seconds = 30;
  double cpu_seconds = 0;  // 0: as many as the timeout, for each thread
  uint64_t memory_mib = 8192;
  int32_t threads = 1;
  // QCONFORM_ISA of the worker; empty: the caller's; "all": a worker for each path.
  std::string isa;
  std::string form = "qdq";      // of the models that exec:COMMAND gets
  std::string scheme;            // that exec:COMMAND is said to follow
  bool in_process = false;       // without a worker, for debuggers
  bool stop_before_run = false;  // raises SIGTRAP; only in process
};

inline constexpr char kExecPrefix[] = "exec:";

// --config, --timeout, --cpu, --memory, --threads, --isa, --form and --scheme; the verb
// names the backend.
void AddSubjectOptions(CLI::App& verb, SubjectOptions& options);

struct OpenedSubject {
  std::unique_ptr<CallTarget> target;
  BackendIdentity identity;
  std::optional<SubjectConfig> config;
  std::optional<SubjectConfig> own_config;  // where --config names another
  std::vector<std::string> missing_paths;   // of isa "all", that this machine has not
  // One more worker of the same subject.
  std::function<std::unique_ptr<CallTarget>()> another_worker;

  // Valid as long as this is.
  Subject subject() const {
    return {*target, identity, config ? &config->config : nullptr,
            own_config ? &own_config->config : nullptr};
  }
};

// Loads the backend and its config. Throws BackendError if it cannot be used.
std::unique_ptr<OpenedSubject> OpenSubject(const SubjectOptions& options);

// "--backend B --config C": the options that name the subject again.
std::string SubjectArguments(const SubjectOptions& options);

}  // namespace qconform

#endif  // QCONFORM_CLI_SUBJECT_H_
