#include "cli/doctor.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/subject.h"
#include "conformance/verdict/doctor.h"
#include "reference/formats/onnx_model.h"

namespace qconform {
namespace {

void Print(const DoctorCheck& check, const std::string& backend = "") {
  const char* word = check.result == CheckResult::kOk     ? "ok"
                     : check.result == CheckResult::kWarn ? "warn"
                     : check.result == CheckResult::kFail ? "FAIL"
                                                          : "not run";
  std::string note = check.note;
  if (!check.repro.empty())
    note = fmt::format("qconform repro {} '{}'", backend, check.repro);
  std::cout << fmt::format("{:<10} {:<60} {}{}{}\n", check.name, check.text, word,
                           note.empty() ? "" : "  ", note);
}

int Examine(const SubjectOptions& options) {
  const auto opened = OpenSubject(options);
  const LoadedBackend& loaded = opened->target->Load();
  if (options.backend.starts_with(kExecPrefix)) {
    Print({"protocol", fmt::format("ONNX test folders, opset {}, form {}", kOnnxOpset,
                                   options.form)});
  } else {
    Print(
        {"abi", fmt::format("{}.{}  (harness speaks {}.0 - {}.{})", loaded.abi_major,
                            loaded.abi_minor, QC_ABI_MAJOR, QC_ABI_MAJOR, QC_ABI_MINOR)});
  }
  const BackendIdentity& identity = opened->identity;
  Print({"identity", fmt::format("{} {}  sha256 {}", identity.name, identity.version,
                                 identity.sha256.substr(0, 12))});
  bool failed = false;
  for (const DoctorCheck& check : Examine(opened->subject())) {
    Print(check, SubjectArguments(options));
    failed |= check.result == CheckResult::kFail;
  }
  return failed ? kExitBackendUnusable : kExitAsExpected;
}

}  // namespace

void AddDoctorVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SubjectOptions>();
  options->timeout_seconds = 5;
  CLI::App* verb = app.add_subcommand("doctor", "Is a backend loadable and sane?");
  verb->add_option("backend", options->backend,
                   "Shared object of the backend, or exec:COMMAND")
      ->required();
  AddSubjectOptions(*verb, *options);
  verb->footer("Exit codes: 0 usable, 4 wrong usage, 6 not usable.");
  verb->callback([options, &exit_code] { exit_code = Examine(*options); });
}

}  // namespace qconform
