#include "conformance/cases/shard.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "reference/ir/error.h"

namespace qconform {
namespace {

TEST(Shard, EachCaseIsInOneAndAllAreUsed) {
  int sizes[5] = {};
  for (int i = 0; i < 500; ++i) {
    const std::string id = "suite/linear/m1.k" + std::to_string(i) + "/uniform";
    int holders = 0;
    for (int index = 1; index <= 5; ++index) {
      if (!Shard{index, 5}.Holds(id)) continue;
      ++holders;
      ++sizes[index - 1];
    }
    EXPECT_EQ(holders, 1) << id;
  }
  for (const int size : sizes) EXPECT_GT(size, 60);
  EXPECT_TRUE(Shard{}.Holds("anything"));
}

// Journals of older runs are merged: the hash must never change.
TEST(Shard, TheHashStays) {
  EXPECT_TRUE((Shard{1, 7}.Holds("x86/linear/m1.k64.n17/pair_saturate")));
  EXPECT_TRUE((Shard{1, 7}.Holds("")));
}

TEST(Shard, BadTextIsOneLine) {
  EXPECT_EQ(ParseShard("2/5", "t"), (Shard{2, 5}));
  EXPECT_EQ(ParseShard("2/5", "t").Text(), "2/5");
  for (const char* text : {"", "2", "0/5", "6/5", "2/5x", "/5", "2/", "-1/5", "1/0"})
    EXPECT_THROW(ParseShard(text, "t"), InputError) << text;
}

TEST(Shard, GoogleTestsEnvironmentCountsFromZero) {
  EXPECT_EQ(ShardOfEnvironment(), Shard{});
  setenv("GTEST_TOTAL_SHARDS", "4", 1);
  EXPECT_THROW(ShardOfEnvironment(), InputError) << "no index";
  setenv("GTEST_SHARD_INDEX", "3", 1);
  EXPECT_EQ(ShardOfEnvironment(), (Shard{4, 4}));
  setenv("GTEST_SHARD_INDEX", "4", 1);
  EXPECT_THROW(ShardOfEnvironment(), InputError);
  unsetenv("GTEST_TOTAL_SHARDS");
  unsetenv("GTEST_SHARD_INDEX");
}

}  // namespace
}  // namespace qconform
