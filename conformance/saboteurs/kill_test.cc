// The harness can fail: every planted fault gets its verdict, with the cause named, from
// a part of the cases; the honest one passes all of them. ./dev saboteurs runs all on
// all.
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance/saboteurs/fill_tally.h"

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

CaseRecord FailedWith(const std::string& fill) {
  CaseRecord record;
  record.id = "s/" + fill;
  record.verdict = Verdict::kFail;
  record.fill = fill;
  return record;
}

TEST(FillTally, CreditsDataThatUniformOnesCannotReplace) {
  KernelFault fault;
  fault.name = "one";
  fault.number = "QB39";
  FillTally tally;
  const size_t all = tally.IdleTraps().size();
  const auto fails = [](const std::string&) { return false; };
  const auto passes = [](const std::string&) { return true; };
  tally.Add(fault, {FailedWith("ties")}, fails);
  EXPECT_EQ(tally.IdleTraps().size(), all - 1);
  EXPECT_TRUE(tally.kills().at("ties").all.contains("one"));
  EXPECT_TRUE(tally.kills().at("ties").by_data.empty());
  EXPECT_EQ(tally.ReplaceableTraps(), std::vector<std::string>{"ties"});
  tally.Add(fault, {FailedWith("ties"), FailedWith("uniform")}, passes);
  EXPECT_TRUE(tally.ReplaceableTraps().empty());
  EXPECT_EQ(tally.kills().at("ties").by_data.at("one"), "s/ties");
  EXPECT_TRUE(tally.kills().at("uniform").by_data.empty());
  // A fault that stands for no public case proves nothing of a fill.
  fault.number = "";
  tally.Add(fault, {FailedWith("one_hot")}, passes);
  EXPECT_EQ(tally.IdleTraps().size(), all - 1);
}

const KernelFault& FaultOf(const std::string& name) {
  return *std::find_if(KernelFaults().begin(), KernelFaults().end(),
                       [&](const KernelFault& fault) { return fault.name == name; });
}

// What no row of its config names is accepted by one backend, and refused by the other.
TEST(Smoke, ASuiteKillsWhatAcceptsTheUndeclared) {
  std::vector<CaseSource> undeclared;
  for (const CaseSource& source : KillCases())
    if (source.id.starts_with("undeclared/")) undeclared.push_back(source);
  ASSERT_FALSE(undeclared.empty());
  for (const bool accepts : {false, true}) {
    const SessionResult result =
        RunCases(FaultOf(accepts ? "accepts_undeclared" : "none"), undeclared);
    for (const CaseRecord& record : result.records) {
      // It mixes dtypes; a zero point of weights that its config forbids it refuses.
      const bool is_mix = record.id.find(".u8s8u8.") == std::string::npos;
      const bool fails = accepts && is_mix;
      EXPECT_EQ(record.verdict, fails ? Verdict::kFail : Verdict::kPass) << record.id;
      EXPECT_EQ(record.cause, fails ? "accepts what it does not declare" : "");
    }
  }
}

}  // namespace
}  // namespace qconform
