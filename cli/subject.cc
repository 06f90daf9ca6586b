#include "cli/subject.h"

#include <cmath>
#include <utility>

#include "cli/print_ignored.h"
#include "cli/worker.h"
#include "conformance/host/in_process.h"
#include "conformance/host/worker.h"
#include "conformance/verdict/every_path.h"
#include "conformance/verdict/session.h"
#include "reference/ir/error.h"

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
  verb.add_option(
      "--isa", options.isa,
      "Code path that is forced, as QCONFORM_ISA does; all: every path of this "
      "machine, which must agree");
}

namespace {

WorkerOptions WorkerOptionsOf(const SubjectOptions& options) {
  WorkerOptions worker;
  worker.command = WorkerCommand();
  worker.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  worker.memory_limit_bytes = options.memory_mib << 20;
  worker.cpu_limit_seconds = static_cast<int64_t>(std::ceil(options.cpu_seconds));
  worker.threads = options.threads;
  worker.isa = options.isa;
  return worker;
}

// A worker for each path of this machine; notes the other paths.
std::function<std::unique_ptr<CallTarget>()> EveryPathOf(
    const std::string& file, const WorkerOptions& worker,
    std::vector<std::string>& missing) {
  std::vector<std::string> names;
  for (const PathOnMachine& path : PathsOf(MachineFacts()))
    (path.can_run ? names : missing).push_back(path.name);
  if (names.empty())
    throw InputError("--isa all", "no path of this architecture is known", "one path");
  return [file, worker, names] {
    EveryPath::Targets targets;
    for (const std::string& name : names) {
      WorkerOptions forced = worker;
      forced.isa = name;
      targets.emplace_back(name, std::make_unique<Worker>(file, forced));
    }
    return std::make_unique<EveryPath>(std::move(targets));
  };
}

}  // namespace

std::unique_ptr<OpenedSubject> OpenSubject(const SubjectOptions& options) {
  auto opened = std::make_unique<OpenedSubject>();
  const std::string& file = options.backend;
  if (options.in_process) {
    opened->target =
        std::make_unique<InProcess>(file, options.threads, options.stop_before_run);
  } else {
    const WorkerOptions worker = WorkerOptionsOf(options);
    if (options.isa == "all") {
      opened->another_worker = EveryPathOf(file, worker, opened->missing_paths);
    } else {
      opened->another_worker = [file, worker] {
        return std::make_unique<Worker>(file, worker);
      };
    }
    opened->target = opened->another_worker();
  }
  opened->identity = IdentityOf(*opened->target, file);
  opened->config = ConfigOf(opened->target->Load(), options.config);
  if (opened->config) PrintIgnored(opened->config->ignored);
  return opened;
}

std::string SubjectArguments(const SubjectOptions& options) {
  std::string text = "--backend " + options.backend;
  if (!options.config.empty()) text += " --config " + options.config;
  if (options.threads != 1) text += " --threads " + std::to_string(options.threads);
  if (!options.isa.empty()) text += " --isa " + options.isa;
  return text;
}

}  // namespace qconform
