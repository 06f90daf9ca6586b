// All suites of the repository, and what each kind of row means.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "conformance/cases/build_call.h"
#include "conformance/cases/row_operator.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/cases/suite_lint.h"
#include "conformance/compare/exact.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::vector<SuiteRow>& AllRows() {
  static const auto* rows = [] {
    auto* all = new std::vector<SuiteRow>;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites")) {
      if (entry.path().extension() != ".csv") continue;
      const auto suite = ReadSuite(entry.path());
      EXPECT_EQ(SuiteFinding(suite), "") << entry.path();
      all->insert(all->end(), suite.begin(), suite.end());
    }
    return all;
  }();
  return *rows;
}

std::vector<int> CodesOf(const std::string& id) {
  const ConformanceCase c = BuildCase(RowFromId(id));
  std::vector<int> codes;
  for (size_t i = 0; i < c.want[0].size(); ++i)
    codes.push_back(static_cast<int>(
        ElementAt(c.call.outputs[0], c.want[0], static_cast<int64_t>(i))));
  return codes;
}

std::string ErrorOf(const std::string& id) {
  try {
    RowFromId(id);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Suites, EveryIdRebuildsItsRow) {
  for (const SuiteRow& row : AllRows()) {
    const std::string id = IdOf(row);
    EXPECT_EQ(id.find_first_of(":-*? "), std::string::npos) << id;
    SuiteRow again = RowFromId(id);
    again.tier = row.tier;
    again.reported = row.reported;
    again.want = row.want;
    EXPECT_TRUE(again == row) << id;
  }
}

TEST(Suites, RowsCanBeWrittenAgain) {
  std::map<std::string, std::vector<SuiteRow>> suites;
  for (const SuiteRow& row : AllRows()) suites[row.suite].push_back(row);
  for (const auto& [suite, rows] : suites) {
    const std::string file = ::testing::TempDir() + suite + ".csv";
    std::ofstream out(file);
    out << SuiteCsvHeader();
    for (const SuiteRow& row : rows) out << SuiteCsvLine(row);
    out.close();
    EXPECT_TRUE(ReadSuite(file) == rows) << suite;
  }
}

TEST(Suites, NoCaseIsTame) {
  for (const SuiteRow& row : AllRows()) {
    if (!Contains(Tier::kCi, row.tier)) continue;
    const ConformanceCase c = BuildCase(row);
    if (!c.domain.empty() || c.literal) continue;
    EXPECT_EQ(ReasonForMistrust(c.call, c.want), "") << c.id;
  }
}

TEST(Suites, EveryOperatorHasRowsAndASmokeTest) {
  std::map<std::string, std::set<Tier>> tiers;
  for (const SuiteRow& row : AllRows()) tiers[row.operator_name].insert(row.tier);
  for (const RowOperator& op : RowOperators())
    EXPECT_TRUE(tiers.contains(op.name)) << op.name;
  for (const char* name : {"conv2d",     "conv_transpose2d",
                           "linear",     "matmul",
                           "add",        "sub",
                           "mul",        "relu",
                           "sigmoid",    "max_pool2d",
                           "avg_pool2d", "mean",
                           "batch_norm", "concat",
                           "quantize",   "dequantize",
                           "requantize", "reshape",
                           "transpose",  "slice",
                           "pad"})
    EXPECT_TRUE(tiers[name].contains(Tier::kSmoke)) << name;
}

// The nightly tier is more than the last one of a few large shapes.
TEST(Suites, NightlyTriesEveryFillOnEveryWeightedOperator) {
  std::map<std::string, std::set<std::string>> fills;
  for (const SuiteRow& row : AllRows())
    if (row.tier == Tier::kNightly) fills[row.operator_name].insert(FillName(row.fill));
  for (const char* name : {"conv1d", "conv2d", "conv3d", "conv_transpose2d", "linear"})
    for (const char* fill :
         {"uniform", "pair_saturate", "ties", "zero_point_border", "one_hot", "all_min",
          "all_max", "constant_channel", "tiny_scale"})
      EXPECT_TRUE(fills[name].contains(fill)) << name << " " << fill;
}

TEST(Suites, ZeroPointsLieAtTheirEndsInEverySuiteOfCodes) {
  std::map<std::string, std::set<int64_t>> unsigned_ones;
  for (const SuiteRow& row : AllRows())
    if (row.x == QC_U8) unsigned_ones[row.suite].insert(row.zx);
  for (const char* suite :
       {"convolution", "linear", "elementwise", "activation", "pooling", "movement"})
    for (const int64_t zero_point : {0, 1, 77, 128, 255})
      EXPECT_TRUE(unsigned_ones[suite].contains(zero_point)) << suite << zero_point;
}

// With the zero point 0 a border of code 0 looks right.
TEST(Suites, PaddingOnlyAtZeroPointZeroIsRefused) {
  const std::string padded =
      "s/conv2d.u8s8u8.per_channel/n1.c4.i5x5.o4.k3x3.p1x1.zx0.zy3/uniform";
  std::string sound = padded;
  sound.replace(sound.find("zx0"), 3, "zx7");
  EXPECT_NE(SuiteFinding({RowFromId(padded)}).find("zero point 0"), std::string::npos);
  EXPECT_EQ(SuiteFinding({RowFromId(padded), RowFromId(sound)}), "");
}

TEST(Suites, WhatNobodyDefinesIsRefused) {
  // pytorch/pytorch#47556: padding beyond half the window.
  EXPECT_NE(ErrorOf("s/max_pool2d.u8u8/n2.c3.i11x9.k2x2.s2x2.p2x2.zx7.zy7/uniform")
                .find("padding is more than half of the kernel"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/add.u8u8u8/i2x3.b4.zx1.zw2.zy3/uniform").find("broadcast"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/relu.u8u8/i16.zx1.zy1/every_code").find("at least 256"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/relu.u8u8/i16.zx1.zy1/special_floats").find("an input of f32"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/clamp.u8u8/i16.zx1.zy1/uniform").find("no minimum"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/relu.u8u8/j16.zx1.zy1/uniform").find("the words are i, zx"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/relu.u8u8/i1048576x1048576.zx1.zy1/uniform").find("2^33"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/add.u8u8u8/i2.b1x1x1x1x1x1x1x1x2.zx1.zy1/uniform")
                .find("more than 8 dimensions"),
            std::string::npos);
}

TEST(Suites, WholeDomainsAreWhole) {
  const ConformanceCase unary =
      BuildCase(RowFromId("s/sigmoid.s8s8/i256.zx1.zym128/every_code"));
  EXPECT_EQ(unary.domain, "whole");
  const auto& x = unary.call.inputs[0]->data;
  EXPECT_EQ(std::set<std::byte>(x.begin(), x.end()).size(), 256u);

  const ConformanceCase binary =
      BuildCase(RowFromId("s/mul.u8u8u8/i256x256.zx1.zw9.zy3/every_pair"));
  std::set<std::pair<std::byte, std::byte>> pairs;
  for (size_t i = 0; i < binary.call.inputs[0]->data.size(); ++i)
    pairs.emplace(binary.call.inputs[0]->data[i], binary.call.inputs[1]->data[i]);
  EXPECT_EQ(pairs.size(), 65536u);

  const ConformanceCase products = BuildCase(
      RowFromId("s/linear.u8s8u8.per_tensor/m256.k1.n256.zx5.zy128/every_product"));
  for (const auto& input : {*products.call.inputs[0], *products.call.inputs[1]})
    EXPECT_EQ(std::set<std::byte>(input.data.begin(), input.data.end()).size(), 256u);
}

TEST(Suites, TameDataOfEveryKindAreSeen) {
  const auto reason = [](const std::string& id) {
    const ConformanceCase c = BuildCase(RowFromId(id));
    return ReasonForMistrust(c.call, c.want);
  };
  EXPECT_NE(reason("s/relu.u8u8/i64.zx128.zy128/all_min"), "");
  EXPECT_NE(reason("s/mul.u8u8u8/i64.zx0.zw7.zy3/all_min"), "");
  EXPECT_NE(reason("s/quantize.f32u8/i64.zy9/all_max"), "");
  EXPECT_NE(reason("s/max_pool2d.u8u8/n1.c2.i4x4.k2x2.zx3.zy3/all_max"), "");
  // Nothing lies between the bounds.
  EXPECT_NE(reason("s/clamp.u8u8/i64.min0.max1.zx9.zy9.sx1.sy1/uniform")
                .find("64 of 64 expected codes of output 0 are saturated"),
            std::string::npos);
  EXPECT_EQ(reason("s/clamp.u8u8/i64.minm1.max1.zx128.zy128.sx0_02.sy0_02/uniform"), "");
}

TEST(Suites, LiteralDataRepeat) {
  const ConformanceCase c =
      BuildCase(RowFromId("s/mul.u8u8u8/i5.zx0.zw0.zy0.sx1.sw1.sy1/codes.2.3_7.0.1"));
  EXPECT_TRUE(c.literal);
  EXPECT_EQ(CodesOf(c.id), (std::vector<int>{14, 0, 2, 21, 0}));
}

TEST(Suites, LiteralBiasesHave32Bits) {
  const std::string id =
      "s/linear.u8s8u8.per_tensor.bias_s32/m1.k1024.n3.zx0.zy9.sx1.sw1.sy1/"
      "codes.255_m128_33423363.33423382.33423319";
  EXPECT_EQ(CodesOf(id), (std::vector<int>{12, 31, 0}));
  EXPECT_NE(ErrorOf("s/relu.u8u8/i1.zx1.zy1/codes.2147483648").find("of 32 bits"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/relu.u8u8/i1.zx1.zy1/codes.1..2").find("is no code"),
            std::string::npos);
}

// Infinite in a float, infinite once divided by the scales, and NaN.
TEST(Suites, SpecialFloatsAreTheBiasesOfAnInputOfCodes) {
  const std::string head = "s/linear.u8s8u8.per_tensor.bias_f32/m1.k1.n30.zx0.zy9";
  const std::vector<int> special = CodesOf(head + ".sx0_01.sw0_01.sy1000/special_floats");
  EXPECT_EQ((std::vector<int>{special[1], special[3], special[9], special[11]}),
            (std::vector<int>{255, 0, 255, 0}));
  EXPECT_EQ(special[0], 9);
  EXPECT_EQ(special[29], 255);
  const std::vector<int> unknown = CodesOf(head + ".sx0_01.sw0_01.sy1000/not_a_number");
  EXPECT_EQ((std::vector<int>{unknown[0], unknown[1], unknown[2], unknown[28]}),
            (std::vector<int>{9, 0, 9, 0}));
  EXPECT_NE(ErrorOf(head + "/special_floats").find("a bias of f32 and sy"),
            std::string::npos);
}

TEST(Suites, ARangeMayLieAboveTheZeroPoint) {
  EXPECT_EQ(CodesOf("s/linear.u8s8u8.per_tensor.relu/m1.k1.n3.zx0.zy5.sx1.sw1.sy1."
                    "range20x100/codes.1_2.30.127"),
            (std::vector<int>{20, 35, 100}));
  EXPECT_NE(ErrorOf("s/linear.u8s8u8.per_tensor/m1.k1.n3.zx0.zy5.range0x4/uniform")
                .find("a range of no codes"),
            std::string::npos);
}

TEST(Suites, ConvolutionsPadAsTheirRowSays) {
  const auto sums = [](const std::string& mode) {
    return CodesOf("s/conv1d.u8s8u8.per_tensor" + mode +
                   "/n1.c1.i3.o1.k3.p1.zx0.zy0.sx1.sw1.sy1/codes.1.2.4_1");
  };
  EXPECT_EQ(sums(""), (std::vector<int>{3, 7, 6}));
  EXPECT_EQ(sums(".reflect"), (std::vector<int>{5, 7, 8}));
  EXPECT_EQ(sums(".replicate"), (std::vector<int>{4, 7, 10}));
  EXPECT_EQ(sums(".circular"), (std::vector<int>{7, 7, 7}));
}

TEST(Suites, WeightsHaveAZeroPointAChannel) {
  const std::string shape = "/m1.k2.n5.zx0.zw3xm5x0.zy100.sx1.sw1.sy1/codes.1.1_1";
  const ConformanceCase c = BuildCase(RowFromId("s/linear.u8s8u8.per_channel" + shape));
  EXPECT_EQ(c.call.inputs[1]->zero_point, (std::vector<int32_t>{3, -5, 0, 3, -5}));
  EXPECT_EQ(CodesOf(c.id), (std::vector<int>{96, 112, 102, 96, 112}));
  EXPECT_NE(ErrorOf("s/linear.u8s8u8.per_tensor" + shape).find("several zero points zw"),
            std::string::npos);
  EXPECT_NE(ErrorOf("s/linear.u8s8u8.per_channel/m1.k2.n2.zx0.zw0x128.zy0/uniform")
                .find("a zero point outside the codes"),
            std::string::npos);
}

TEST(Tier, EachHoldsTheOnesBeforeIt) {
  EXPECT_TRUE(Contains(Tier::kCi, Tier::kSmoke));
  EXPECT_TRUE(Contains(Tier::kFull, Tier::kNightly));
  EXPECT_FALSE(Contains(Tier::kSmoke, Tier::kCi));
}

}  // namespace
}  // namespace qconform
