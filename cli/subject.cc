#include "cli/subject.h"

#include "cli/print_ignored.h"
#include "cli/worker.h"
#include "conformance/host/worker.h"
#include "conformance/verdict/session.h"

namespace qconform {

void AddSubjectOptions(CLI::App& verb, SubjectOptions& options) {
  verb.add_option("--config", options.config,
                  "Config that says what is declared: a JSON file or a built-in name "
                  "(default: the backend's own)");
  verb.add_option("--timeout", options.timeout_seconds, "Seconds a case may take")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb.add_option("--cpu", options.cpu_seconds,
                  "Seconds of processor time that a case may take (default: the timeout, "
                  "for each thread)")
      ->check(CLI::PositiveNumber);
  verb.add_option("--memory", options.memory_mib, "MiB that the worker may map")
      ->capture_default_str();
  verb.add_option("--threads", options.threads, "Threads handed to the backend's plan")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
}

std::unique_ptr<OpenedSubject> OpenSubject(const SubjectOptions& options) {
  WorkerOptions worker;
  worker.command = WorkerCommand();
  worker.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  worker.memory_limit_bytes = options.memory_mib << 20;
  worker.threads = options.threads;
  auto opened = std::make_unique<OpenedSubject>();
  opened->another_worker = [file = options.backend, worker] {
    return std::make_unique<Worker>(file, worker);
  };
  opened->target = opened->another_worker();
  opened->identity = IdentityOf(*opened->target, options.backend);
  opened->config = ConfigOf(opened->target->Load(), options.config);
  if (opened->config) PrintIgnored(opened->config->ignored);
  return opened;
}

std::string SubjectArguments(const SubjectOptions& options) {
  std::string text = "--backend " + options.backend;
  if (!options.config.empty()) text += " --config " + options.config;
  if (options.threads != 1) text += " --threads " + std::to_string(options.threads);
  return text;
}

}  // namespace qconform
