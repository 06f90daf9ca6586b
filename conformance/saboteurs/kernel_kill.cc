#include "conformance/saboteurs/kernel_kill.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "conformance/cases/build_call.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/cases/subject_config.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/contract/kernel/kernel_cases.h"
#include "conformance/saboteurs/plain_twin.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "reference/config/backend_config_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr KernelFault kFaults[] = {
#define FAULT(name, verdict, cause, number, text) {#name, #verdict, cause, number, text},
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

const std::shared_ptr<const BackendConfig>& Config() {
  static const auto* const config = [] {
    static constexpr char kText[] =
#include "conformance/saboteurs/config.inc"
        ;
    const JsonFile file = JsonFile::Parse(kText, "config.inc");
    return new std::shared_ptr<const BackendConfig>(
        std::make_shared<const BackendConfig>(BackendConfigFromJson(file.root(), file)));
  }();
  return *config;
}

const std::shared_ptr<const Golden>& DigitsGolden() {
  static const auto* const golden =
      new std::shared_ptr<const Golden>(std::make_shared<const Golden>(
          ReadGolden(std::string(QCONFORM_SOURCE_DIR) + "/datasets/goldens/digits/x86")));
  return *golden;
}

void AddSmokeTier(std::vector<CaseSource>& sources) {
  // Built once and kept: they run on every saboteur.
  static auto* const cases = new std::deque<ConformanceCase>;
  const std::string folder = std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites";
  for (const std::string& suite : SuiteNames(folder)) {
    for (const SuiteRow& row : ReadSuite(SuiteFile(suite, folder))) {
      if (row.tier != Tier::kSmoke) continue;
      const ConformanceCase& c = cases->emplace_back(BuildCase(row));
      sources.push_back(
          {c.id, c.group, [&c](const Subject& s) { return RunOperatorCase(c, s); }});
    }
  }
}

// So that a few cases of every suite come first: every 13th, from each of 13 starts.
std::vector<CaseSource> Spread(const std::vector<CaseSource>& sources) {
  constexpr size_t kStep = 13;
  std::vector<CaseSource> spread;
  for (size_t start = 0; start < kStep; ++start)
    for (size_t i = start; i < sources.size(); i += kStep) spread.push_back(sources[i]);
  return spread;
}

void Append(SessionResult&& part, SessionResult& whole) {
  for (CaseRecord& record : part.records) {
    whole.summary.Add(record);
    whole.records.push_back(std::move(record));
  }
}

bool IsKill(const KernelFault& fault, const CaseRecord& record) {
  return IsFailed(record) && VerdictName(record.verdict) == fault.verdict &&
         (fault.cause.empty() || record.cause == fault.cause);
}

}  // namespace

std::span<const KernelFault> KernelFaults() { return kFaults; }

const std::vector<CaseSource>& KillCases() {
  static const auto* const sources = [] {
    auto* built = new std::vector<CaseSource>;
    AddSmokeTier(*built);
    for (CaseSource& source : GoldenCases(DigitsGolden()))
      built->push_back(std::move(source));
    for (CaseSource& source : KernelContractCases(Config()))
      built->push_back(std::move(source));
    return built;
  }();
  return *sources;
}

SessionResult RunSaboteur(const KernelFault& fault, Patience patience) {
  const bool hangs = fault.verdict == "HANG";
  WorkerOptions options = TestWorkerOptions();
  if (hangs) options.time_limit_ms = 1000;
  const auto file = SaboteurFile(std::string("saboteur_") + fault.name);
  Worker worker(file, options);
  const Subject subject{worker, IdentityOf(worker, file), Config().get()};
  if (patience == Patience::kAll && !hangs) return RunSession(KillCases(), subject, {});
  const std::vector<CaseSource> spread = Spread(KillCases());
  const size_t step = hangs ? 1 : 25;
  SessionResult result;
  for (size_t at = 0; at < spread.size(); at += step) {
    const auto begin = spread.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end =
        spread.begin() + static_cast<std::ptrdiff_t>(std::min(at + step, spread.size()));
    Append(RunSession({begin, end}, subject, {}), result);
    const auto kills = std::count_if(
        result.records.begin(), result.records.end(),
        [&fault](const CaseRecord& record) { return IsKill(fault, record); });
    if (hangs ? kills == 2 : kills > 0) break;
  }
  return result;
}

SessionResult RunCases(const KernelFault& fault, const std::vector<CaseSource>& cases) {
  const auto file = SaboteurFile(std::string("saboteur_") + fault.name);
  Worker worker(file, TestWorkerOptions());
  return RunSession(cases, {worker, IdentityOf(worker, file), Config().get()}, {});
}

std::string KillObjection(const KernelFault& fault, const SessionResult& result) {
  bool verdict = false, cause = fault.cause.empty();
  for (const CaseRecord& record : result.records) {
    const std::string_view got = VerdictName(record.verdict);
    verdict |= got == fault.verdict;
    cause |= IsFailed(record) && record.cause == fault.cause;
    if (got != fault.verdict && got != "PASS" && got != "REFUSED")
      return std::string(got) + " of " + record.id + ": " +
             (record.details.empty() ? record.cause : record.details[0]);
  }
  if (!verdict) return "no case says " + std::string(fault.verdict);
  if (!cause) return "no case names the cause '" + std::string(fault.cause) + "'";
  if ((result.exit_code() == 0) != fault.sound()) return "another exit code";
  return "";
}

PlainRuns::PlainRuns(const KernelFault& fault)
    : worker_(SaboteurFile(std::string("saboteur_") + fault.name), TestWorkerOptions()),
      identity_(
          IdentityOf(worker_, SaboteurFile(std::string("saboteur_") + fault.name))) {}

bool PlainRuns::Pass(const std::string& id) {
  const auto twin = PlainTwin(id, *DigitsGolden());
  if (!twin) return false;
  return IsPassed(RunOperatorCase(*twin, {worker_, identity_, Config().get()}));
}

}  // namespace qconform
