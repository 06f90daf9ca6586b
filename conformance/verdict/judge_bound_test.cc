// Every level of DESIGN is reached by a backend, and left by one that is wrong.
#include "conformance/verdict/judge_bound.h"

#include <gtest/gtest.h>

#include "conformance/cases/build_call.h"
#include "conformance/compare/declared_target.h"
#include "conformance/verdict/case_source.h"
#include "conformance/verdict/levels.h"

namespace qconform {
namespace {

constexpr char kTies[] =
    "t/linear.u8s8u8.per_tensor.bias_f32/m64.k24.n64.zx3.zy5.sx0_5.sw0_25.sy64/uniform";
constexpr char kProducts[] =
    "t/linear.u8s8u8.per_tensor/m256.k1.n256.zx5.zy128/every_product";

CaseRecord Judged(const std::string& id, DeclaredTarget target) {
  return RunOperatorCase(BuildCase(RowFromId(id)), {target, {}});
}

TEST(JudgeBound, AnUndeclaredSchemeIsBounded) {
  const CaseRecord record =
      Judged(kTies, DeclaredTarget("f32/one/away/bias_s32/zp_after", ""));
  EXPECT_EQ(record.verdict, Verdict::kPass) << nlohmann::ordered_json(record).dump(1);
  EXPECT_EQ(record.level, 1);
  EXPECT_GT(record.differing_elements, 0);
  EXPECT_EQ(record.wrong_elements, 0);
  EXPECT_NE(record.bound.find("e = gamma_4"), std::string::npos) << record.bound;
  EXPECT_NE(record.bound.find("n = 24, sx = 0.5, sw = 0.25, so = 64"), std::string::npos)
      << record.bound;
}

// Whose bits are right under the scheme that it meant.
TEST(JudgeBound, ASchemeThatIsNoneIsNotBounded) {
  const CaseRecord record =
      Judged(kTies, DeclaredTarget("", "f32/one/evn/bias_f32/zp_after"));
  EXPECT_EQ(record.verdict, Verdict::kFail) << nlohmann::ordered_json(record).dump(1);
  EXPECT_EQ(record.cause, "unknown scheme");
  EXPECT_EQ(record.level, -1);
  ASSERT_EQ(record.details.size(), 1u);
  EXPECT_EQ(record.details[0],
            "declares the scheme 'f32/one/evn/bias_f32/zp_after', which is none, nearest "
            "known name f32/one/even/bias_f32/zp_after; who declares none is judged by "
            "the error bound");
  EXPECT_EQ(Judged(kTies, DeclaredTarget("", "mine/one")).cause, "unknown scheme");
}

// One that is known, but of other operators.
TEST(JudgeBound, ASchemeWithoutADefinitionForTheOperatorIsBounded) {
  const CaseRecord record = Judged(kTies, DeclaredTarget("", "copy"));
  EXPECT_EQ(record.verdict, Verdict::kPass) << nlohmann::ordered_json(record).dump(1);
  EXPECT_EQ(record.level, 1);
  EXPECT_EQ(record.scheme_declared, "copy");
}

// Nothing was claimed: the bits may be the same by chance.
TEST(JudgeBound, TheReferencesOwnBitsAreBoundedToo) {
  const CaseRecord record = Judged(kTies, DeclaredTarget("", ""));
  EXPECT_EQ(record.verdict, Verdict::kPass);
  EXPECT_EQ(record.differing_elements, 0);
  EXPECT_EQ(record.level, 1);
  EXPECT_NE(record.bound, "");
}

TEST(JudgeBound, FixedPointInTwoRoundingsIsBoundedByItsOwnFormula) {
  const CaseRecord record =
      Judged("t/linear.u8s8u8.per_tensor/m1.k1.n1.zx0.zy0.sx1.sw1.sy3_3333333/codes.8_1",
             DeclaredTarget("q31/two/up/bias_s32/zp_after", ""));
  EXPECT_EQ(record.verdict, Verdict::kPass) << nlohmann::ordered_json(record).dump(1);
  EXPECT_EQ(record.differing_elements, 1) << "2.4 becomes 3";
  EXPECT_NE(record.bound.find("2^-(r+1)"), std::string::npos) << record.bound;
}

TEST(JudgeBound, AWrongCodeFailsWithItsSet) {
  const CaseRecord record = Judged(
      kTies, DeclaredTarget("", "", [](const OperatorCall&, std::vector<Bytes>& y) {
        y[0][17] = static_cast<std::byte>(static_cast<uint8_t>(y[0][17]) ^ 4);
      }));
  EXPECT_EQ(record.verdict, Verdict::kFail);
  EXPECT_EQ(record.wrong_elements, 1);
  EXPECT_EQ(record.level, -1);
  ASSERT_GE(record.details.size(), 3u);
  EXPECT_NE(record.details[0].find("y[0,17] got "), std::string::npos);
  EXPECT_NE(record.details[0].find("from the tie, allowed "), std::string::npos)
      << record.details[0];
  EXPECT_EQ(record.details[1], "1 of 4096 elements lie outside of their sets");
  EXPECT_NE(record.details.back().find("declares no scheme, judged by "),
            std::string::npos)
      << record.details.back();
}

// Outside of every float32 arithmetic: it rounds down.
TEST(JudgeBound, AKnownMistakeIsNamed) {
  const CaseRecord record =
      Judged("t/linear.u8s8u8.per_tensor/m8.k24.n16.zx3.zy5/uniform",
             DeclaredTarget("", "", [](const OperatorCall& call, std::vector<Bytes>& y) {
               OperatorCall no_zero = call;
               no_zero.inputs[0]->zero_point = {0};
               y = *ReferenceOutputs(no_zero, "");
             }));
  EXPECT_EQ(record.verdict, Verdict::kFail);
  EXPECT_EQ(record.cause, "input zero point");
}

TEST(Levels, EachOneIsReached) {
  const std::string declared = "f32/one/even/bias_s32/zp_after";
  // 4: every product of two codes, under the reference's own scheme or under none.
  EXPECT_EQ(Judged(kProducts, DeclaredTarget("", "=")).level, 4);
  EXPECT_EQ(Judged(kProducts, DeclaredTarget("", "")).level, 4);
  // 3: exact to the reference's scheme.
  EXPECT_EQ(Judged(kTies, DeclaredTarget("", "=")).level, 3);
  // 2: exact under another one that is declared.
  EXPECT_EQ(Judged(kTies, DeclaredTarget(declared, "=")).level, 2);
  // 1: bounded, and of a whole domain no more than that where codes differ.
  EXPECT_EQ(Judged(kTies, DeclaredTarget(declared, "")).level, 1);
  const CaseRecord bounded = Judged(
      "t/linear.u8s8u8.per_tensor/m256.k1.n256.zx5.zy128.sx0_5.sw0_25.sy32/"
      "every_product",
      DeclaredTarget("f32/one/up/bias_f32/zp_after", ""));
  EXPECT_EQ(bounded.level, 1) << nlohmann::ordered_json(bounded).dump(1);
  EXPECT_GT(bounded.differing_elements, 0);
}

// Sums of numbers at 10^8 that cancel, in steps of 0.02: the bound is wider than all
// codes, and what is left is accuracy.
TEST(Levels, AccuracyIsAllThatIsLeftOfABoundThatSaysNothing) {
  const std::string id =
      "t/add.u8u8u8/i64.zx128.zw128.zy128.sx1000000.sw1000000.sy0_02/"
      "codes.200.100_56.156";
  const auto with_codes_off = [&](size_t every) {
    return Judged(
        id, DeclaredTarget("", "", [every](const OperatorCall&, std::vector<Bytes>& y) {
          for (size_t i = 0; i < y[0].size(); i += every) y[0][i] ^= std::byte{1};
        }));
  };
  const CaseRecord accurate = with_codes_off(64);
  EXPECT_EQ(accurate.verdict, Verdict::kPass) << nlohmann::ordered_json(accurate).dump(1);
  EXPECT_EQ(accurate.level, 0);
  EXPECT_NEAR(accurate.accuracy.at("noise_codes"), 0.125, 1e-9);
  const CaseRecord noisy = with_codes_off(4);
  EXPECT_EQ(noisy.verdict, Verdict::kFail);
  EXPECT_EQ(noisy.cause, "accuracy");
  EXPECT_EQ(noisy.level, -1);
}

TEST(Levels, TheLowestCountsForTheOperator) {
  const std::vector<CaseRecord> records = {
      Judged(kTies, DeclaredTarget("", "=")),
      Judged(kTies, DeclaredTarget("f32/one/even/bias_s32/zp_after", ""))};
  EXPECT_EQ(LevelsOf(records), (std::map<std::string, int>{{"linear", 1}}));
}

}  // namespace
}  // namespace qconform
