#include "conformance/saboteurs/kernel_kill.h"

#include <deque>

#include "conformance/cases/build_call.h"
#include "conformance/cases/subject_config.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr KernelFault kFaults[] = {
#define FAULT(name, verdict, cause, text) {#name, #verdict, cause, text},
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

}  // namespace

std::span<const KernelFault> KernelFaults() { return kFaults; }

const std::vector<CaseSource>& KillCases() {
  static const auto* const sources = [] {
    auto* cases = new std::deque<ConformanceCase>;
    auto* built = new std::vector<CaseSource>;
    const std::string folder = std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites";
    for (const std::string& suite : SuiteNames(folder)) {
      for (const SuiteRow& row : ReadSuite(SuiteFile(suite, folder))) {
        const bool small = row.c <= 20 && row.o <= 24;
        if (row.tier != Tier::kSmoke && !(suite == "first_light" && small)) continue;
        const ConformanceCase& c = cases->emplace_back(BuildCase(row));
        built->push_back(
            {c.id, c.group, [&c](const Subject& s) { return RunOperatorCase(c, s); }});
      }
    }
    return built;
  }();
  return *sources;
}

SessionResult RunSaboteur(const KernelFault& fault) {
  const bool hangs = fault.verdict == "HANG";
  WorkerOptions options = TestWorkerOptions();
  if (hangs) options.time_limit_ms = 1000;
  const auto file = SaboteurFile(std::string("saboteur_") + fault.name);
  Worker worker(file, options);
  Subject subject{worker, IdentityOf(worker, file)};
  const auto config = ConfigOf(worker.Load(), "");
  if (!config) throw InputError(file.string(), "no config", "the saboteurs' own");
  subject.config = &config->config;
  std::vector<CaseSource> sources;
  for (const CaseSource& source : KillCases()) {
    if (hangs && !source.group.starts_with("first_light/")) continue;
    sources.push_back(source);
    if (hangs && sources.size() == 2) break;
  }
  return RunSession(sources, subject, {});
}

}  // namespace qconform
