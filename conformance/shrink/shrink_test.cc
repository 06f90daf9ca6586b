#include "conformance/shrink/shrink.h"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance/cases/suite_csv.h"
#include "conformance/shrink/smaller_ids.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kId =
    "s/conv2d.u8s8u8.per_channel.bias_f32.relu/"
    "n2.c64.i14x14.o32.k3x3.p1x1.zx128.zy3/pair_saturate";

// Fails where at least two input channels meet a kernel.
CaseRecord Judge(const std::string& id) {
  const SuiteRow row = RowFromId(id);
  CaseRecord record;
  record.id = id;
  const bool fails = row.c >= 2 && row.o >= 1 && row.n[0] >= 1;
  record.verdict = fails ? Verdict::kFail : Verdict::kPass;
  record.cause = "pair saturation";
  return record;
}

TEST(Shrink, FindsTheSmallestAndTheSameOneEveryTime) {
  const Shrunk one = ShrinkCase(kId, "found", Judge, {});
  EXPECT_EQ(one.id, "found/conv2d.u8s8u8.per_channel/n1.c2.i1x1.o1.k1x1.zx0.zy0/" +
                        one.id.substr(one.id.rfind('/') + 1));
  const Shrunk two = ShrinkCase(kId, "found", Judge, {});
  EXPECT_EQ(two.id, one.id);
  EXPECT_EQ(two.candidates, one.candidates);
  EXPECT_FALSE(one.out_of_time);
}

// The fault is in every case, so the smallest one would compute nothing.
TEST(Shrink, EmptyTensorsOnlyFromEmptyTensors) {
  const auto fails = [](const std::string& id) {
    CaseRecord record;
    record.id = id;
    record.verdict = Verdict::kCrash;
    return record;
  };
  const SuiteRow full = RowFromId(ShrinkCase(kId, "found", fails, {}).id);
  EXPECT_EQ(full.n, Numbers{1});
  EXPECT_EQ(full.c, 1);
  EXPECT_EQ(full.o, 1);
  const std::string empty = "s/linear.u8s8u8.per_tensor/m0.k8.n4.zx0.zy0/uniform";
  EXPECT_EQ(RowFromId(ShrinkCase(empty, "found", fails, {}).id).n, Numbers{0});
}

// A seed goes where the failure stays without it, and is kept where it is needed.
TEST(Shrink, ASeedIsKeptOnlyWhereItMatters) {
  const std::string id = "s/linear.u8s8u8.per_tensor/m4.k40.n24.zx0.zy0/uniform/seed.7";
  const auto run = [](bool needs_seed) {
    return [needs_seed](const std::string& candidate) {
      CaseRecord record;
      const SuiteRow row = RowFromId(candidate);
      const bool fails = row.c >= 33 && (row.data_seed || !needs_seed);
      record.verdict = fails ? Verdict::kFail : Verdict::kPass;
      return record;
    };
  };
  const SuiteRow without = RowFromId(ShrinkCase(id, "found", run(false), {}).id);
  EXPECT_FALSE(without.data_seed);
  EXPECT_EQ(without.c, 33);
  const SuiteRow with = RowFromId(ShrinkCase(id, "found", run(true), {}).id);
  EXPECT_EQ(with.data_seed, 7u);
  EXPECT_EQ(with.c, 33);
}

TEST(Shrink, KeepsItsBudget) {
  EXPECT_EQ(ShrinkCase(kId, "found", Judge, {.candidates = 5}).candidates, 5);
  EXPECT_TRUE(ShrinkCase(kId, "found", Judge, {.seconds = 0}).out_of_time);
}

TEST(Shrink, OnlyTheSameFailureWillDo) {
  const auto run = [](const std::string& id) {
    CaseRecord record = Judge(id);
    record.cause = RowFromId(id).c == 64 ? "tail" : "other";
    return record;
  };
  EXPECT_EQ(RowFromId(ShrinkCase(kId, "found", run, {}).id).c, 64);
  EXPECT_THROW(ShrinkCase("s/linear.u8s8u8.per_tensor/m1.k1.n1.zx0.zy0/uniform", "found",
                          [](const std::string&) {
                            CaseRecord record;
                            record.verdict = Verdict::kPass;
                            return record;
                          },
                          {}),
               InputError);
}

TEST(Shrink, ARowOfTheSuiteIsTheCase) {
  const std::string file = ::testing::TempDir() + "s.csv";
  std::ofstream(file) << SuiteCsvHeader() << SuiteCsvLine(RowFromId(kId));
  const std::vector<SuiteRow> rows = ReadSuite(file);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(IdOf(rows[0]), kId);
}

TEST(SmallerIds, LiteralCodesAreShort) {
  EXPECT_EQ(WithLiteralCodes(kId), "");
  const std::string id = "s/linear.u8s8u8.per_tensor/m1.k2.n1.zx0.zy0/pair_saturate";
  const std::string literal = WithLiteralCodes(id);
  EXPECT_TRUE(literal.starts_with("s/linear.u8s8u8.per_tensor/m1.k2.n1.zx0.zy0/codes."))
      << literal;
  EXPECT_EQ(WithLiteralCodes(literal), "");
}

}  // namespace
}  // namespace qconform
