// Every operator of every suite: whatever the reference computes under any of its schemes
// lies inside of the derived bounds, and a code beside does not.
#include "conformance/compare/bound.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "conformance/cases/build_call.h"
#include "conformance/cases/row_operator.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/host/code_element.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

// Larger cases show nothing new here.
constexpr int64_t kMostElements = 4'000;

std::vector<SuiteRow> SmallRows() {
  std::vector<SuiteRow> rows;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::string(QCONFORM_SOURCE_DIR) + "/datasets/suites")) {
    if (entry.path().extension() != ".csv") continue;
    for (const SuiteRow& row : ReadSuite(entry.path())) {
      const bool small = row.c <= 80 && row.o <= 80;
      if (small && Contains(Tier::kCi, row.tier)) rows.push_back(row);
    }
  }
  return rows;
}

// Those that do not are no float32 arithmetic that says nothing of itself.
bool RoundsToNearest(const std::string& name) {
  const auto scheme = ParseScheme(name);
  return scheme && scheme->ties != Scheme::Ties::kTruncate &&
         scheme->ties != Scheme::Ties::kFloor;
}

TEST(Bound, HoldsTheReferenceUnderEveryScheme) {
  std::set<std::string> operators;
  std::map<std::string, int64_t> elements;
  std::map<std::string, int64_t> choices;
  std::string unnoticed;
  int64_t narrow = 0;
  int64_t wide = 0;
  int64_t moved = 0;
  for (const SuiteRow& row : SmallRows()) {
    const ConformanceCase c = BuildCase(row);
    if (NumElements(c.call.outputs[0].shape) > kMostElements) continue;
    std::set<std::vector<Bytes>> seen;
    for (const std::string& scheme : ReferenceSchemes(c.call)) {
      if (!RoundsToNearest(scheme)) continue;
      const auto got = ReferenceOutputs(c.call, scheme);
      ASSERT_TRUE(got) << c.id;
      if (!seen.insert(*got).second) continue;
      std::string objection;
      const auto comparison = CompareWithinBound(c.call, *got, c.want, objection);
      ASSERT_TRUE(comparison) << c.id << " " << objection;
      EXPECT_TRUE(comparison->holds())
          << c.id << "\nunder " << scheme << "\n"
          << comparison->outside << " outside, first " << comparison->first << "\n"
          << BoundText(*comparison);
      // No 32-bit integer is a bias that is huge or no number.
      const bool has_special_bias =
          c.call.inputs.size() > 2 &&
          (row.fill == Fill::kSpecialFloats || row.fill == Fill::kNotANumber);
      if (!has_special_bias)
        EXPECT_EQ(comparison->unbounded, 0) << c.id << " " << BoundText(*comparison);
      if (scheme == c.call.scheme) {
        elements[row.operator_name] += comparison->elements;
        choices[row.operator_name] += comparison->choices;
      }
    }
    operators.insert(row.operator_name);
    // Two codes off is noticed.
    const CallTensor& y = c.call.outputs[0];
    if (!IsQuantizedCode(y) || c.want[0].empty()) continue;
    std::vector<Bytes> wrong = c.want;
    const CodeBounds bounds = BoundsOf(y);
    const auto code = static_cast<int>(static_cast<uint8_t>(wrong[0][0]));
    const int value = y.dtype == QC_S8 ? static_cast<int8_t>(code) : code;
    const int other = value + 2 <= bounds.max ? value + 2 : value - 2;
    wrong[0][0] = static_cast<std::byte>(static_cast<uint8_t>(other));
    std::string objection;
    const auto comparison = CompareWithinBound(c.call, wrong, c.want, objection);
    ++moved;
    if (!comparison || !comparison->holds()) continue;
    // Where the output's steps are finer than an accumulator's, a rounded bias costs
    // codes.
    ++(comparison->widest >= 1.5 ? wide : narrow);
    if (comparison->widest < 1.5) unnoticed = c.id + " " + BoundText(*comparison);
  }
  EXPECT_EQ(operators.size(), RowOperators().size());
  EXPECT_EQ(narrow, 0) << "of " << moved << ", like " << unnoticed;
  EXPECT_LT(wide * 100, moved);
  for (const auto& [name, count] : elements)
    EXPECT_LE(choices[name] * 4, count + 40) << name << ": most sets hold one code";
}

TEST(Bound, SaysFormulaInputsAndTheFirstOutside) {
  const ConformanceCase c = BuildCase(RowFromId(
      "t/add.u8u8u8/i1.zx112.zw126.zy124.sx0_040562573820352554.sw0_08881603181362152."
      "sy0_09029635787010193/codes.158_136"));
  std::vector<Bytes> got = c.want;
  got[0][0] = std::byte{155};
  std::string objection;
  auto comparison = CompareWithinBound(c.call, got, c.want, objection);
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->holds()) << "the exact value is 154.4999978";
  EXPECT_EQ(comparison->differing, 1);
  EXPECT_EQ(comparison->choices, 1);
  got[0][0] = std::byte{156};
  comparison = CompareWithinBound(c.call, got, c.want, objection);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->outside, 1);
  EXPECT_NE(
      comparison->first.find("y[0] got 156, exact 154.499998, 2.2e-06 from the tie, "
                             "allowed 154 to 155"),
      std::string::npos)
      << comparison->first;
  const std::string text = BoundText(*comparison);
  for (const char* part : {"gamma_2 (|a| + |b|)", "u = 2^-24", "sx = 0.0405625738",
                           "so = 0.0902963579", "e at most"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
}

TEST(Bound, InfinitiesAreJudgedByTheReference) {
  const ConformanceCase c =
      BuildCase(RowFromId("t/quantize.f32u8/i3.zy133.sy0_5/values.inf.m1e30.1"));
  std::string objection;
  auto comparison = CompareWithinBound(c.call, c.want, c.want, objection);
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->holds());
  std::vector<Bytes> wrong = c.want;
  wrong[0][0] = std::byte{0};
  comparison = CompareWithinBound(c.call, wrong, c.want, objection);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->outside, 1);
}

}  // namespace
}  // namespace qconform
