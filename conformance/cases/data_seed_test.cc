// Other data of the same cases: drawn anew where they are random, and the trap stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "conformance/cases/build_call.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/compare/exact.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::string kSmall = "s/linear.u8s8u8.per_channel.bias_f32/m4.k24.n8.zx128.zy3/";

Bytes DataOf(const std::string& id, size_t input = 0) {
  return BuildCall(RowFromId(id)).inputs[input]->data;
}

std::vector<int> CodesOf(const std::string& id, size_t input) {
  std::vector<int> codes;
  const OperatorCall call = BuildCall(RowFromId(id));
  const CallTensor& tensor = *call.inputs[input];
  for (const std::byte byte : tensor.data) {
    const auto code = std::to_integer<int>(byte);
    codes.push_back(tensor.dtype == QC_S8 && code > 127 ? code - 256 : code);
  }
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

TEST(DataSeed, TheIdAloneRebuildsTheData) {
  const std::string id = kSmall + "uniform";
  for (const char* seed : {"/seed.0", "/seed.7", "/seed.18446744073709551615"}) {
    EXPECT_EQ(IdOf(RowFromId(id + seed)), id + seed);
    EXPECT_EQ(DataOf(id + seed), DataOf(id + seed));
    for (const size_t input : {0, 1, 2})
      EXPECT_NE(DataOf(id + seed, input), DataOf(id, input)) << seed << " " << input;
  }
  EXPECT_NE(DataOf(id + "/seed.7"), DataOf(id + "/seed.8"));
}

TEST(DataSeed, ARowOfASuiteMayHaveOne) {
  const std::string id = kSmall + "ties/seed.7";
  const std::string file = ::testing::TempDir() + "s.csv";
  std::ofstream(file) << SuiteCsvHeader() << SuiteCsvLine(RowFromId(id));
  const std::vector<SuiteRow> rows = ReadSuite(file);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(IdOf(rows[0]), id);
}

TEST(DataSeed, WhatIsWrittenStays) {
  SuiteRow row = RowFromId(kSmall + "uniform");
  DrawOtherData(row, 7);
  DrawOtherData(row, 8);
  EXPECT_EQ(IdOf(row), kSmall + "uniform/seed.7");
  SuiteRow literal = RowFromId(kSmall + "codes.1.2");
  DrawOtherData(literal, 7);
  EXPECT_EQ(IdOf(literal), kSmall + "codes.1.2");
}

TEST(DataSeed, OtherSegmentsAreRefusedInOneLine) {
  const auto refuses = [](const std::string& id, const std::string& what) {
    const std::string error = ErrorOf(id);
    EXPECT_NE(error.find(what), std::string::npos) << error;
    EXPECT_NE(error.find("expected"), std::string::npos) << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  };
  refuses(kSmall + "uniform/sed.7", "'/sed.7' behind the fill");
  refuses(kSmall + "uniform/7", "'/7' behind the fill");
  refuses(kSmall + "uniform/seed.7/seed.8", "not a case id");
  for (const char* seed : {"", "m7", "7x", "07", "+7", "18446744073709551616"})
    refuses(kSmall + "uniform/seed." + seed, std::string("seed '") + seed + "'");
  refuses(kSmall + "codes.1.2/seed.7", "a seed behind data that are written down");
}

TEST(DataSeed, TrapsKeepTheirTrap) {
  for (const char* seed : {"/seed.1", "/seed.2", "/seed.3"}) {
    const auto x = [&](const char* fill) { return CodesOf(kSmall + fill + seed, 0); };
    const auto w = [&](const char* fill) { return CodesOf(kSmall + fill + seed, 1); };
    const auto all = [](const std::vector<int>& codes, int code) {
      return std::all_of(codes.begin(), codes.end(), [code](int c) { return c == code; });
    };
    EXPECT_TRUE(all(x("all_min"), 0) && all(w("all_min"), -128)) << seed;
    EXPECT_TRUE(all(x("all_max"), 255) && all(w("all_max"), 127)) << seed;
    for (const int code : x("zero_point_border")) EXPECT_LE(std::abs(code - 128), 1);
    const std::vector<int> one_hot = x("one_hot");
    EXPECT_GT(2 * std::count(one_hot.begin(), one_hot.end(), 128),
              static_cast<std::ptrdiff_t>(one_hot.size()));
    const std::vector<int> constant = w("constant_channel");
    EXPECT_TRUE(all({constant.begin(), constant.begin() + 24}, 0)) << seed;
    const std::vector<int> a = x("pair_saturate");
    const std::vector<int> b = w("pair_saturate");
    bool saturates = false;
    for (size_t k = 0; k + 1 < 24; k += 2)
      saturates |= a[k] * b[k] + a[k + 1] * b[k + 1] > 32767;
    EXPECT_TRUE(saturates) << seed;
    const OperatorCall tiny = BuildCall(RowFromId(kSmall + "tiny_scale" + seed));
    EXPECT_EQ(tiny.inputs[0]->scale[0], 0x1p-23f);
  }
  // Every code is tried, whatever the seed.
  std::vector<int> codes = CodesOf("s/relu.u8u8/i256.zx3.zy3/every_code/seed.7", 0);
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  EXPECT_EQ(codes.size(), 256u);
}

// Seeds widen the search only if what they draw can show a fault.
TEST(DataSeed, NoCaseOfASuiteGetsTame) {
  for (const auto& file : std::filesystem::directory_iterator(
           std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites")) {
    if (file.path().extension() != ".csv") continue;
    for (SuiteRow& row : ReadSuite(file.path())) {
      if (!Contains(Tier::kCi, row.tier) || !row.relation.empty()) continue;
      DrawOtherData(row, 7);
      const ConformanceCase c = BuildCase(row);
      if (!c.domain.empty() || c.literal) continue;
      EXPECT_EQ(ReasonForMistrust(c.call, c.want), "") << c.id;
    }
  }
}

TEST(DataSeed, AFilterNeedNotNameIt) {
  const std::string id = kSmall + "uniform/seed.7";
  EXPECT_TRUE(Filter("*/uniform").Selects(id));
  EXPECT_TRUE(Filter("*/seed.7").Selects(id));
  EXPECT_TRUE(Filter(id).Selects(id));
  EXPECT_FALSE(Filter("*/seed.8").Selects(id));
  EXPECT_FALSE(Filter("-*/uniform").Selects(id));
  EXPECT_FALSE(Filter("*/ties").Selects(id));
}

}  // namespace
}  // namespace qconform
