// The harness can fail: every planted fault gets its verdict from the suite, with the
// cause named, and no case is lost on the way.
#include <gtest/gtest.h>

#include <map>

#include "conformance/cases/build_call.h"
#include "conformance/cases/subject_config.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/session.h"

namespace qconform {
namespace {

struct Fault {
  const char* name;
  const char* verdict;
  const char* cause;
};

constexpr Fault kFaults[] = {
#define FAULT(name, verdict, cause, text) {#name, #verdict, cause},
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

// The suite's small cases, built once.
const std::vector<ConformanceCase>& Cases() {
  static const auto* cases = [] {
    auto* built = new std::vector<ConformanceCase>;
    const auto rows =
        ReadSuite(std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites/first_light.csv");
    for (const SuiteRow& row : rows)
      if (row.c <= 20 && row.o <= 24) built->push_back(BuildCase(row));
    return built;
  }();
  return *cases;
}

class Saboteur : public ::testing::TestWithParam<Fault> {};

TEST_P(Saboteur, GetsItsVerdict) {
  const Fault& fault = GetParam();
  const bool slow = std::string(fault.verdict) == "HANG";
  WorkerOptions options = TestWorkerOptions();
  if (slow) options.time_limit_ms = 1000;
  const auto file = SaboteurFile(std::string("saboteur_") + fault.name);
  Worker worker(file, options);
  Subject subject{worker, IdentityOf(worker, file)};
  const auto config = ConfigOf(worker.Load(), "");
  ASSERT_TRUE(config);
  subject.config = &config->config;

  std::vector<CaseSource> sources;
  for (const ConformanceCase& c : Cases()) {
    if (slow && sources.size() == 2) break;
    sources.push_back(
        {c.id, c.group, [&c](const Subject& s) { return RunOperatorCase(c, s); }});
  }
  std::map<std::string, int> verdicts;
  std::map<std::string, int> causes;
  std::string printed;
  std::string first;
  SessionOptions session;
  session.on_record = [&](const CaseRecord& record, size_t, size_t) {
    const std::string verdict(VerdictName(record.verdict));
    ++verdicts[verdict];
    if (!IsFailed(record)) return;
    ++causes[record.cause];
    if (first.empty()) first = nlohmann::ordered_json(record).dump(1);
    if (printed.empty()) printed = record.printed;
  };
  const SessionResult result = RunSession(sources, subject, session);
  EXPECT_EQ(result.summary.total(), static_cast<int64_t>(sources.size()));
  EXPECT_GT(verdicts[fault.verdict], 0) << first;
  // Nothing but its own fault: passes, refusals without a row, and this verdict.
  for (const auto& [verdict, count] : verdicts) {
    EXPECT_TRUE(verdict == fault.verdict || verdict == "PASS" || verdict == "REFUSED")
        << count << " " << verdict << "\n"
        << first;
  }
  const bool is_fault =
      fault.verdict != std::string("PASS") && fault.verdict != std::string("PASS_SCHEME");
  EXPECT_EQ(result.exit_code(), is_fault ? 1 : 0) << first;
  if (fault.cause[0] != '\0') {
    EXPECT_GT(causes[fault.cause], 0) << first;
  }
}

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }

INSTANTIATE_TEST_SUITE_P(Kill, Saboteur, ::testing::ValuesIn(kFaults),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace qconform
