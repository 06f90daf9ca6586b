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

// What people met in public, with the right values.
TEST(Suites, PublicIssuesHaveTheirRightCodes) {
  using Codes = std::vector<int>;
  // pytorch/pytorch#76390
  EXPECT_EQ(CodesOf("linear/linear.u8s8u8.per_tensor/m1.k2.n3.zx144.zy0.sx1.sw1.sy100/"
                    "codes.255.255_113.113.114.113.127.127"),
            (Codes{251, 252, 255}));
  // apache/tvm#13364
  EXPECT_EQ(CodesOf("s/conv1d.u8s8u8.per_tensor/n1.c1.i3.o1.k3.p1.zx10.zy0.sx1.sw1.sy1/"
                    "codes.12.14.16_1"),
            (Codes{6, 12, 10}));
  // pytorch/pytorch#107810
  EXPECT_EQ(CodesOf("s/linear.u8s8u8.per_tensor.bias_f32/m1.k3.n1.zx9.zy0.sx0_02.sw0_01."
                    "sy0_1/codes.9_5_3500"),
            (Codes{7}));
  // pytorch/pytorch#28260
  const std::string average = "s/avg_pool2d.u8u8/n1.c1.i2x2.k2x2.p1x1.";
  const std::string qparams = "zx3.zy3.sx0_5.sy0_5/codes.10.11.12.14";
  EXPECT_EQ(CodesOf(average + "include_pad." + qparams),
            (Codes{5, 7, 5, 7, 12, 8, 5, 8, 6}));
  EXPECT_EQ(CodesOf(average + qparams), (Codes{10, 11, 11, 11, 12, 13, 12, 13, 14}));
  // pytorch/pytorch#108924
  EXPECT_EQ(CodesOf("s/mean.u8u8/i3x2.axes1.zx3.zy3.sx0_5.sy0_5/codes.10.11.11.12.0.1"),
            (Codes{11, 11, 1}));
  // pytorch/executorch#18462
  EXPECT_EQ(CodesOf("s/relu.s8s8/i5.zxm20.zym20/codes.m128.m50.m20.0.60"),
            (Codes{-20, -20, -20, 0, 60}));
  // pytorch/pytorch#60077
  EXPECT_EQ(CodesOf("s/quantize.f32u8/i6.zy133.sy0_5/"
                    "values.inf.4294967300.1e30.minf.m4294967300.m1e30"),
            (Codes{255, 255, 255, 0, 0, 0}));
  // pytorch/pytorch#37188
  EXPECT_EQ(CodesOf("s/quantize.f32u8/i8.zy3.sy0_5/"
                    "values.0_25.0_75.1_25.1_75.m0_25.m0_75.m1_25.m1_75"),
            (Codes{3, 5, 5, 7, 3, 1, 1, 0}));
  // pytorch/pytorch#37343
  EXPECT_EQ(CodesOf("s/add.u8u8u8/i1.zx112.zw126.zy124.sx0_040562574.sw0_08881603."
                    "sy0_09029636/codes.158_136"),
            (Codes{154}));
  // tensorflow/tflite-micro#3252
  const std::string linear = "s/linear.s8s8s8.per_tensor";
  const std::string ties = "/m5.k1.n1.zx0.zy0.sx0_25.sw1.sy1/codes.2.10.m2.m6.m10_1";
  EXPECT_EQ(CodesOf(linear + ties), (Codes{0, 2, 0, -2, -2}));
  EXPECT_EQ(CodesOf(linear + ".q31_one" + ties), (Codes{1, 3, 0, -1, -2}));
  EXPECT_EQ(CodesOf(linear + ".q31_two" + ties), (Codes{1, 3, -1, -2, -3}));
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

TEST(Tier, EachHoldsTheOnesBeforeIt) {
  EXPECT_TRUE(Contains(Tier::kCi, Tier::kSmoke));
  EXPECT_TRUE(Contains(Tier::kFull, Tier::kNightly));
  EXPECT_FALSE(Contains(Tier::kSmoke, Tier::kCi));
}

}  // namespace
}  // namespace qconform
