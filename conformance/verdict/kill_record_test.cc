#include "conformance/verdict/kill_record.h"

#include <gtest/gtest.h>

#include <fstream>

#include "reference/ir/error.h"

namespace qconform {
namespace {

KillRecord Sample() {
  return {
      "qconform 0.1.0",
      {{"linear", "11"}, {"pooling", "22"}},
      {{"pair_wraps", {"linear", "pooling"}}, {"no_relu", {"pooling"}}, {"idle", {}}}};
}

TEST(KillRecord, CountsWhatAnyOfTheSuitesKills) {
  const KillCount linear = CountKills(Sample(), {{"linear", "11"}});
  EXPECT_EQ(linear.killed, 1u);
  EXPECT_EQ(linear.saboteurs, 3u);
  EXPECT_TRUE(linear.changed.empty());
  EXPECT_EQ(CountKills(Sample(), {{"linear", "11"}, {"pooling", "22"}}).killed, 2u);
}

TEST(KillRecord, NamesSuitesThatItIsNotOf) {
  const KillCount count =
      CountKills(Sample(), {{"linear", "12"}, {"found", "33"}, {"pooling", "22"}});
  EXPECT_EQ(count.changed, (std::vector<std::string>{"found", "linear"}));
}

TEST(KillRecord, IsReadAsItWasWritten) {
  const std::string file = ::testing::TempDir() + "qconform_kill_table.json";
  std::ofstream(file) << KillRecordJson(Sample());
  const KillRecord read = ReadKillRecord(file);
  EXPECT_EQ(read.tool, Sample().tool);
  EXPECT_EQ(read.suites, Sample().suites);
  EXPECT_EQ(read.killers, Sample().killers);
  std::ofstream(file) << "{\"tool\": 1}";
  EXPECT_THROW(ReadKillRecord(file), InputError);
}

}  // namespace
}  // namespace qconform
