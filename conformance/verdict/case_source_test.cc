#include "conformance/verdict/case_source.h"

#include <gtest/gtest.h>

#include "conformance/cases/build_call.h"
#include "conformance/cases/subject_config.h"
#include "conformance/saboteurs/saboteur_files.h"

namespace qconform {
namespace {

// Says no to every fixed-point scheme.
class FloatOnly : public CallTarget {
 public:
  explicit FloatOnly(CallTarget& other) : other_(other) {}
  const LoadedBackend& Load() override { return other_.Load(); }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode mode) override {
    return call.scheme.starts_with("q31/") ? CallOutcome() : other_.Call(call, mode);
  }

 private:
  CallTarget& other_;
};

// A config declares operators, not schemes: only one that is the operator's own must be
// computed.
TEST(CaseSource, ASchemeOfNobodysMayBeRefused) {
  Worker worker(SaboteurFile("saboteur_none"), TestWorkerOptions());
  FloatOnly target(worker);
  Subject subject{target, {}};
  const auto config = ConfigOf(worker.Load(), "");
  ASSERT_TRUE(config);
  subject.config = &config->config;
  const auto run = [&](const std::string& scheme) {
    return RunOperatorCase(BuildCase(RowFromId("t/linear.u8s8u8.per_tensor" + scheme +
                                               "/m3.k9.n8.zx3.zy5/uniform")),
                           subject);
  };
  const CaseRecord own = run("");
  EXPECT_EQ(own.verdict, Verdict::kPass);
  EXPECT_NE(own.row, "");
  const CaseRecord foreign = run(".q31_two");
  EXPECT_EQ(foreign.verdict, Verdict::kRefused);
  EXPECT_EQ(foreign.row, "");
}

// A record says what was tried.
TEST(CaseSource, AWholeDomainIsSaid) {
  Worker worker(QCONFORM_SCALAR_BACKEND, TestWorkerOptions());
  const Subject subject{worker, {}};
  const CaseRecord whole = RunOperatorCase(
      BuildCase(RowFromId("t/relu.u8u8/i256.zx255.zy255/every_code")), subject);
  EXPECT_EQ(whole.verdict, Verdict::kPass);
  EXPECT_EQ(whole.domain, "whole");
  const CaseRecord tame = RunOperatorCase(
      BuildCase(RowFromId("t/relu.u8u8/i256.zx255.zy255/uniform")), subject);
  EXPECT_EQ(tame.verdict, Verdict::kMistrusted);
  EXPECT_EQ(tame.domain, "");
}

}  // namespace
}  // namespace qconform
