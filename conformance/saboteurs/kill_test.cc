// The harness can fail: every planted fault gets its verdict from the suites, with the
// cause named, and no case is lost on the way.
#include <gtest/gtest.h>

#include <map>

#include "conformance/saboteurs/kernel_kill.h"

namespace qconform {
namespace {

class Saboteur : public ::testing::TestWithParam<KernelFault> {};

TEST_P(Saboteur, GetsItsVerdict) {
  const KernelFault& fault = GetParam();
  const SessionResult result = RunSaboteur(fault);
  std::map<std::string, int> verdicts;
  std::map<std::string, int> causes;
  std::string first;
  for (const CaseRecord& record : result.records) {
    ++verdicts[std::string(VerdictName(record.verdict))];
    if (!IsFailed(record)) continue;
    ++causes[record.cause];
    if (first.empty()) first = nlohmann::ordered_json(record).dump(1);
  }
  EXPECT_EQ(result.summary.total(), static_cast<int64_t>(result.records.size()));
  EXPECT_GT(verdicts[std::string(fault.verdict)], 0) << first;
  // Nothing but its own fault: passes, refusals without a row, and this verdict.
  for (const auto& [verdict, count] : verdicts) {
    EXPECT_TRUE(verdict == fault.verdict || verdict == "PASS" || verdict == "REFUSED")
        << count << " " << verdict << "\n"
        << first;
  }
  EXPECT_EQ(result.exit_code(), fault.sound() ? 0 : 1) << first;
  if (!fault.cause.empty()) {
    EXPECT_GT(causes[std::string(fault.cause)], 0) << first;
  }
}

void PrintTo(const KernelFault& fault, std::ostream* out) { *out << fault.name; }

const auto kAll = std::vector<KernelFault>(KernelFaults().begin(), KernelFaults().end());
INSTANTIATE_TEST_SUITE_P(Kill, Saboteur, ::testing::ValuesIn(kAll),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace qconform
