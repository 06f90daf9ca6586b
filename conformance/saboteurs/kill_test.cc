// The harness can fail: every planted fault gets its verdict, with the cause named, from
// a part of the cases; the honest one passes all of them. ./dev saboteurs runs all on
// all.
#include <gtest/gtest.h>

#include "conformance/saboteurs/kernel_kill.h"

namespace qconform {
namespace {

class Saboteur : public ::testing::TestWithParam<KernelFault> {};

TEST_P(Saboteur, GetsItsVerdict) {
  const KernelFault& fault = GetParam();
  const SessionResult result =
      RunSaboteur(fault, fault.sound() ? Patience::kAll : Patience::kUntilKilled);
  EXPECT_EQ(KillObjection(fault, result), "");
  EXPECT_EQ(result.summary.total(), static_cast<int64_t>(result.records.size()));
}

void PrintTo(const KernelFault& fault, std::ostream* out) { *out << fault.name; }

const auto kAll = std::vector<KernelFault>(KernelFaults().begin(), KernelFaults().end());
INSTANTIATE_TEST_SUITE_P(Kill, Saboteur, ::testing::ValuesIn(kAll),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FillTally, ATrapThatKillsNothingIsIdle) {
  KernelFault fault;
  fault.name = "one";
  fault.number = "QB39";
  CaseRecord record;
  record.verdict = Verdict::kFail;
  record.fill = "ties";
  FillTally tally;
  const size_t all = tally.IdleTraps().size();
  tally.Add(fault, {record});
  EXPECT_EQ(tally.IdleTraps().size(), all - 1);
  EXPECT_TRUE(tally.killed().at("ties").contains("one"));
  // A fault that stands for no public case proves nothing of a fill.
  fault.number = "";
  record.fill = "one_hot";
  tally.Add(fault, {record});
  EXPECT_EQ(tally.IdleTraps().size(), all - 1);
}

}  // namespace
}  // namespace qconform
