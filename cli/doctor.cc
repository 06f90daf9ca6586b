#include "cli/doctor.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/print_ignored.h"
#include "cli/worker.h"
#include "conformance/cases/subject_config.h"
#include "conformance/verdict/doctor.h"
#include "conformance/verdict/session.h"

namespace qconform {
namespace {

struct DoctorOptions {
  std::string backend;
  std::string config;
  double timeout_seconds = 5;
};

void Print(const DoctorCheck& check) {
  const char* word = check.result == CheckResult::kOk     ? "ok"
                     : check.result == CheckResult::kWarn ? "warn"
                                                          : "FAIL";
  std::cout << fmt::format("{:<10} {:<60} {}\n", check.name, check.text, word);
}

int Examine(const DoctorOptions& options) {
  WorkerOptions worker_options;
  worker_options.command = WorkerCommand();
  worker_options.time_limit_ms = static_cast<int64_t>(options.timeout_seconds * 1000);
  Worker worker(options.backend, worker_options);
  try {
    const LoadedBackend& loaded = worker.Load();
    Print({"abi", fmt::format("{}.{}  (harness speaks {}.{})", loaded.abi_major,
                              loaded.abi_minor, QC_ABI_MAJOR, QC_ABI_MINOR)});
    Subject subject{worker, IdentityOf(worker, options.backend)};
    const BackendIdentity& identity = subject.identity;
    Print({"identity", fmt::format("{} {}  sha256 {}", identity.name, identity.version,
                                   identity.sha256.substr(0, 12))});
    const auto config = ConfigOf(loaded, options.config);
    if (config) PrintIgnored(config->ignored);
    if (config) subject.config = &config->config;
    bool failed = false;
    for (const DoctorCheck& check : Examine(subject)) {
      Print(check);
      failed |= check.result == CheckResult::kFail;
    }
    return failed ? kExitBackendUnusable : kExitAsExpected;
  } catch (const BackendError& error) {
    std::cerr << "qconform: " << error.what() << " (exit code 6)\n";
    return kExitBackendUnusable;
  }
}

}  // namespace

void AddDoctorVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* verb = app.add_subcommand("doctor", "Is a backend loadable and sane?");
  verb->add_option("backend", options->backend, "Shared object of the backend")
      ->required();
  verb->add_option("--config", options->config,
                   "Config that says what is declared: a JSON file or a built-in name");
  verb->add_option("--timeout", options->timeout_seconds, "Seconds a call may take")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  verb->footer("Exit codes: 0 usable, 4 wrong usage, 6 not usable.");
  verb->callback([options, &exit_code] { exit_code = Examine(*options); });
}

}  // namespace qconform
