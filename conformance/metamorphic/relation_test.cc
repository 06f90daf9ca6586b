// Relations hold on the reference and on an honest backend of its own arithmetic, and
// find faults without an answer of the reference.
#include "conformance/metamorphic/relation.h"

#include <gtest/gtest.h>

#include <set>

#include "conformance/cases/build_call.h"
#include "conformance/cases/subject_config.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/host/code_element.h"
#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "conformance/verdict/case_source.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

const std::vector<SuiteRow>& Rows() {
  static const auto* const rows = new std::vector<SuiteRow>(
      ReadSuite(std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites/metamorphic.csv"));
  return *rows;
}

// The cases without their answers: whoever looked at one would find none.
const std::vector<ConformanceCase>& Cases() {
  static const auto* const cases = [] {
    auto* built = new std::vector<ConformanceCase>;
    for (const SuiteRow& row : Rows()) {
      built->push_back(BuildCase(row));
      built->back().want.clear();
    }
    return built;
  }();
  return *cases;
}

struct Judged {
  std::set<std::string> broken;  // relations
  int passed = 0;
  int refused = 0;
  CaseRecord first;  // that failed
};

// Of one relation, or of all.
Judged JudgeAll(const std::filesystem::path& file, const std::string& relation = "") {
  Worker worker(file, TestWorkerOptions());
  Subject subject{worker, {}};
  const auto config = ConfigOf(worker.Load(), "");
  if (config) subject.config = &config->config;
  Judged judged;
  for (const ConformanceCase& c : Cases()) {
    if (!relation.empty() && c.relation != relation) continue;
    const CaseRecord record = RunOperatorCase(c, subject);
    judged.passed += IsPassed(record) ? 1 : 0;
    judged.refused += IsSkipped(record) ? 1 : 0;
    if (!IsFailed(record)) continue;
    if (judged.broken.empty()) judged.first = record;
    judged.broken.insert(record.cause.empty() ? record.id : record.cause);
  }
  return judged;
}

TEST(Relation, EveryOneHasACase) {
  std::set<std::string> used;
  for (const ConformanceCase& c : Cases()) used.insert(c.relation);
  for (const Relation& relation : Relations())
    EXPECT_TRUE(used.contains(std::string(relation.name))) << relation.name;
}

TEST(Relation, AllHoldOnTheReference) {
  const Judged judged = JudgeAll(QCONFORM_SCALAR_BACKEND);
  EXPECT_TRUE(judged.broken.empty()) << nlohmann::ordered_json(judged.first).dump(1);
  EXPECT_EQ(judged.passed, static_cast<int>(Cases().size()));
}

TEST(Relation, AnHonestBackendPasses) {
  const Judged judged = JudgeAll(SaboteurFile("saboteur_none"));
  EXPECT_TRUE(judged.broken.empty()) << nlohmann::ordered_json(judged.first).dump(1);
  EXPECT_GT(judged.passed, 30);
}

struct KilledBy {
  const char* saboteur;
  const char* relation;
};

class RelationKills : public ::testing::TestWithParam<KilledBy> {};

TEST_P(RelationKills, WithoutTheReference) {
  const Judged judged = JudgeAll(SaboteurFile(GetParam().saboteur), GetParam().relation);
  EXPECT_TRUE(judged.broken.contains(std::string("relation ") + GetParam().relation))
      << judged.broken.size() << " " << nlohmann::ordered_json(judged.first).dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    Faults, RelationKills,
    ::testing::Values(
        KilledBy{"saboteur_raw_zero_padding", "pad_with_zero_point"},
        KilledBy{"saboteur_signed_padding_unshifted", "pad_with_zero_point"},
        KilledBy{"saboteur_scale_of_next_channel", "permute_output_channels"},
        KilledBy{"saboteur_first_scale", "permute_output_channels"},
        KilledBy{"saboteur_ignore_input_zero_point", "shift_zero_point"},
        KilledBy{"saboteur_compensation_of_first_group", "permute_groups"},
        KilledBy{"saboteur_pair_saturation", "permute_input_channels"},
        KilledBy{"saboteur_tail_of_k_skipped", "permute_input_channels"},
        KilledBy{"saboteur_padding_sides_swapped", "pad_with_zero_point"}),
    [](const auto& info) {
      return std::string(info.param.saboteur).substr(9) + "_by_" + info.param.relation;
    });

TEST(Relation, NamesItselfAndTheFirstElement) {
  Worker worker(SaboteurFile("saboteur_raw_zero_padding"), TestWorkerOptions());
  const CaseRecord record = RunOperatorCase(
      BuildCase(RowFromId("m/conv2d.u8s8u8.per_tensor.pad_with_zero_point/"
                          "n1.c2.i4x4.o3.k3x3.p1x1.zx77.zy5/uniform")),
      {worker, {}});
  EXPECT_EQ(record.verdict, Verdict::kFail);
  EXPECT_EQ(record.relation, "pad_with_zero_point");
  EXPECT_EQ(record.cause, "relation pad_with_zero_point");
  ASSERT_FALSE(record.details.empty());
  EXPECT_NE(record.details[0].find("relation pad_with_zero_point does not hold"),
            std::string::npos);
  EXPECT_NE(
      record.details[0].find("y[0,0,0,2] is 3 in the second call and 4 by the first"),
      std::string::npos)
      << record.details[0];
  EXPECT_EQ(record.level, -1) << "it says nothing about exactness";
}

TEST(Relation, ARowThatItDoesNotFitIsRefused) {
  const auto error = [](const std::string& id) -> std::string {
    try {
      RowFromId(id);
    } catch (const InputError& refused) {
      return refused.what();
    }
    return "";
  };
  EXPECT_NE(error("m/sigmoid.u8u8.swap_operands/i8.zx0.zy0/uniform")
                .find("relation swap_operands says nothing about it"),
            std::string::npos);
  EXPECT_NE(error("m/linear.u8s8u8.per_tensor.permute_input_channels/"
                  "m1.k500.n3.zx0.zy0/uniform")
                .find("fewer than 258 products"),
            std::string::npos);
}

CallTensor Codes(Shape shape, const std::vector<int32_t>& codes) {
  CallTensor tensor;
  tensor.dtype = QC_U8;
  tensor.shape = std::move(shape);
  tensor.scale = {1.0f};
  tensor.zero_point = {9};
  tensor.data.resize(codes.size());
  for (size_t i = 0; i < codes.size(); ++i)
    SetCodeAt(tensor, static_cast<int64_t>(i), codes[i]);
  return tensor;
}

std::vector<int32_t> CodesOf(const CallTensor& tensor) {
  std::vector<int32_t> codes;
  for (int64_t i = 0; i < NumElements(tensor.shape); ++i)
    codes.push_back(CodeAt(tensor, i));
  return codes;
}

TEST(DenseTensor, IsCutTurnedAndPadded) {
  CallTensor x = Codes({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(CodesOf(Gathered(x, 1, ReversedWithin(3, 1))),
            (std::vector<int32_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(CodesOf(Gathered(x, 0, SecondHalf(2))), (std::vector<int32_t>{4, 5, 6}));
  EXPECT_EQ(CodesOf(WithAxesSwapped(x, 0, 1)), (std::vector<int32_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(CodesOf(PaddedWithZeroPoint(x, 1, 1, 0)),
            (std::vector<int32_t>{9, 1, 2, 3, 9, 4, 5, 6}));
  EXPECT_EQ(ReversedGroups(6, 3), (Order{4, 5, 2, 3, 0, 1}));
  EXPECT_EQ(ReversedWithin(6, 3), (Order{1, 0, 3, 2, 5, 4}));
  x.axis = 1;
  x.scale = {1, 2, 3};
  x.zero_point = {7, 8, 9};
  const CallTensor part = Gathered(x, 1, {2, 0});
  EXPECT_EQ(part.scale, (std::vector<float>{3, 1}));
  EXPECT_EQ(part.zero_point, (std::vector<int32_t>{9, 7}));
}

}  // namespace
}  // namespace qconform
