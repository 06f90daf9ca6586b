// Every known scheme and accumulator, as a backend that follows it, must get its name;
// what no question can tell apart must be said to be so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "conformance/compare/reference_outputs.h"
#include "conformance/probe/accumulator.h"
#include "conformance/probe/probe_operator.h"
#include "conformance/probe/probe_requantize.h"
#include "conformance/probe/scheme_search.h"
#include "conformance/saboteurs/saboteur_files.h"
#include "reference/ir/error.h"
#include "reference/numerics/requantize.h"

namespace qconform {
namespace {

constexpr char kUsual[] = "f32/one/even/bias_f32/zp_after";

// A backend in this process that follows one scheme, within limits.
class RuleTarget : public CallTarget {
 public:
  explicit RuleTarget(std::string scheme) : scheme_(std::move(scheme)) {}

  bool takes_bias = true;
  bool takes_s8 = true;
  std::string declares;
  const AccumulatorRule* accumulator = nullptr;  // nullptr: exact
  int bits_of_multiplier = 0;                    // 0: all
  int calls = 0;

  const LoadedBackend& Load() override { return nobody_; }
  using CallTarget::Call;
  CallOutcome Call(const OperatorCall& call, CallMode) override {
    ++calls;
    CallOutcome outcome;
    CallReply& reply = outcome.reply;
    if (!takes_bias && call.inputs.size() > 2) {
      reply.reason = "no bias";
    } else if (!takes_s8 && call.outputs[0].dtype == QC_S8) {
      reply.reason = "no s8";
    } else {
      auto outputs = Outputs(call);
      reply.supported = outputs.has_value();
      reply.reason = outputs ? "" : "no such operator";
      reply.scheme = declares;
      reply.runs.emplace_back();
      if (outputs) reply.runs[0].outputs = std::move(*outputs);
    }
    return outcome;
  }

 private:
  std::optional<std::vector<Bytes>> Outputs(const OperatorCall& call) const {
    if (accumulator == nullptr && bits_of_multiplier == 0)
      return ReferenceOutputs(call, scheme_);
    return std::vector<Bytes>{OwnCodes(call)};
  }

  // Of one output channel of linear, without the reference's accumulator or multiplier.
  Bytes OwnCodes(const OperatorCall& call) const {
    const CallTensor& x = *call.inputs[0];
    const CallTensor& w = *call.inputs[1];
    const CallTensor& y = call.outputs[0];
    const auto terms = static_cast<size_t>(w.shape[1]);
    float input_scale = x.scale[0];
    if (bits_of_multiplier > 0) {
      int exponent = 0;
      const float fraction = std::frexp(input_scale, &exponent);
      const float steps = std::ldexp(1.0f, bits_of_multiplier);
      input_scale = std::ldexp(std::rint(fraction * steps) / steps, exponent);
    }
    std::optional<float> bias;
    if (call.inputs.size() > 2) {
      bias.emplace();
      std::memcpy(&*bias, call.inputs[2]->data.data(), sizeof *bias);
    }
    const ChannelRequantizer requantizer(*ParseScheme(scheme_), input_scale, w.scale[0],
                                         y.scale[0], y.zero_point[0], bias, std::nullopt);
    CodeBounds bounds = BoundsOf(y);
    if (call.attributes.activation == QC_ACTIVATION_RELU) bounds.min = y.zero_point[0];
    Bytes codes;
    for (size_t row = 0; row < x.data.size() / terms; ++row) {
      std::vector<Product> products;
      for (size_t k = 0; k < terms; ++k) {
        const auto byte = static_cast<uint8_t>(x.data[row * terms + k]);
        const int code = x.dtype == QC_S8 ? static_cast<int8_t>(byte) : byte;
        products.emplace_back(code - x.zero_point[0], static_cast<int8_t>(w.data[k]));
      }
      const double sum =
          accumulator != nullptr ? accumulator->Sum(products) : SumOf(products);
      // Beyond 32 bits no scheme speaks of accumulators.
      const double code =
          std::abs(sum) < 0x1p31
              ? requantizer.Code(static_cast<int32_t>(sum))
              : sum * (double{x.scale[0]} * double{w.scale[0]} / double{y.scale[0]}) +
                    y.zero_point[0];
      codes.push_back(static_cast<std::byte>(
          static_cast<int64_t>(std::clamp(code, static_cast<double>(bounds.min),
                                          static_cast<double>(bounds.max))) &
          0xFF));
    }
    return codes;
  }

  static double SumOf(const std::vector<Product>& products) {
    return AccumulatorRules()[0].Sum(products);
  }

  std::string scheme_;
  LoadedBackend nobody_;
};

const ProbeLine& LineOf(const ProbeReport& report, const std::string& name) {
  static const ProbeLine nothing;
  for (const ProbeLine& line : report.lines)
    if (line.name == name) return line;
  ADD_FAILURE() << "no line " << name;
  return nothing;
}

using Names = std::vector<std::string>;

TEST(Probe, NamesEveryKnownScheme) {
  const std::vector<ProbeForm> forms = {{QC_LINEAR, QC_U8, QC_U8},
                                        {QC_LINEAR, QC_U8, QC_S8}};
  for (const Scheme& scheme : KnownSchemes()) {
    RuleTarget target(SchemeName(scheme));
    Questioner questioner(target, kMostProbeCalls);
    const SchemeFinding finding =
        FindScheme(forms, int64_t{1} << 31, KnownSchemes(), questioner);
    EXPECT_LE(questioner.calls(), 200) << SchemeName(scheme);
    EXPECT_EQ(finding.alive, std::vector<Scheme>{scheme}) << SchemeName(scheme);
  }
}

TEST(Probe, ShowsEvidenceWithinTheBudget) {
  RuleTarget target("q31/one/up/bias_s32/zp_after");
  target.declares = "q31/one/up/bias_s32/zp_after";
  const ProbeReport report = ProbeRequantize(target);
  EXPECT_EQ(report.schemes, Names{"q31/one/up/bias_s32/zp_after"});
  EXPECT_TRUE(report.is_conclusive());
  EXPECT_EQ(report.calls, target.calls);
  EXPECT_LE(report.calls, 1000);
  EXPECT_EQ(report.known_schemes, 128u);
  EXPECT_EQ(LineOf(report, "accumulator").text, "s32, wraps");
  EXPECT_EQ(LineOf(report, "multiplier").text, "q31, one rounding step");
  EXPECT_EQ(LineOf(report, "ties").text, "half toward +inf");
  EXPECT_NE(LineOf(report, "ties").evidence.find("not half to even: acc="),
            std::string::npos);
  EXPECT_EQ(LineOf(report, "clamp").text, "after zero point");
  EXPECT_EQ(LineOf(report, "relu").text, "at the zero point");
}

TEST(Probe, TellsWhatADeclarationHides) {
  RuleTarget target("f32/one/away/bias_f32/zp_after");
  target.declares = kUsual;
  const ProbeReport report = ProbeRequantize(target);
  EXPECT_EQ(report.schemes, Names{"f32/one/away/bias_f32/zp_after"});
  EXPECT_FALSE(report.declares_what_it_does);
  EXPECT_FALSE(report.is_conclusive());
}

TEST(Probe, SaysWhatItCannotTellApart) {
  RuleTarget without_bias(kUsual);
  without_bias.takes_bias = false;
  ProbeReport report = ProbeRequantize(without_bias);
  EXPECT_EQ(report.schemes, (Names{kUsual, "f32/one/even/bias_s32/zp_after"}));
  EXPECT_EQ(report.why_not_apart, "the backend takes no bias");
  RuleTarget without_s8("f32/one/away/bias_f32/zp_before");
  without_s8.takes_s8 = false;
  report = ProbeRequantize(without_s8);
  EXPECT_EQ(report.schemes,
            (Names{"f32/one/away/bias_f32/zp_before", "f32/one/up/bias_f32/zp_before"}));
  EXPECT_EQ(report.why_not_apart,
            "they differ below zero, and the backend has no codes of s8");
}

TEST(Probe, NamesTheClosestWhereNoneFits) {
  RuleTarget target(kUsual);
  target.bits_of_multiplier = 12;
  const ProbeReport report = ProbeRequantize(target);
  EXPECT_TRUE(report.schemes.empty());
  EXPECT_FALSE(report.is_conclusive());
  EXPECT_FALSE(report.closest.empty());
  EXPECT_GT(report.agreeing, report.answers / 2);
  EXPECT_LT(report.agreeing, report.answers);
  EXPECT_NE(report.first_disagreement.find("acc="), std::string::npos);
}

TEST(Probe, NamesEveryAccumulator) {
  for (const AccumulatorRule& rule : AccumulatorRules())
    for (const qc_dtype dtype : {QC_U8, QC_S8}) {
      RuleTarget target(kUsual);
      target.accumulator = &rule;
      Questioner questioner(target, kMostProbeCalls);
      const ProbeForm form{QC_LINEAR, dtype, dtype};
      const AccumulatorFinding finding = FindAccumulator(form, questioner);
      // Beyond 32 bits the exact sum and the clamped one give the same code here.
      EXPECT_EQ(finding.rules, Names{rule.text}) << AbiDTypeName(dtype);
      EXPECT_TRUE(finding.refused.empty());
    }
}

TEST(Probe, NamesTheRoundingOfOperators) {
  for (const char* name : {"add", "avg_pool2d", "quantize", "mul"})
    for (const char* scheme :
         {"real/one/even/bias_f32/zp_after", "real/one/away/bias_f32/zp_after",
          "real/one/floor/bias_f32/zp_before", "real_divide/one/up/bias_f32/zp_after"}) {
      RuleTarget target(scheme);
      const ProbeReport report = ProbeOperator(target, name);
      EXPECT_EQ(report.schemes, Names{scheme}) << name;
      EXPECT_LE(report.calls, 200);
      if (name == std::string("quantize")) {
        EXPECT_EQ(LineOf(report, "NaN").evidence, "infinities and 1e30 saturate");
      }
    }
  RuleTarget target(kUsual);
  EXPECT_THROW(ProbeOperator(target, "frobnicate"), InputError);
}

ProbeReport ProbeSaboteur(const std::string& fault) {
  Worker worker(SaboteurFile("saboteur_" + fault), TestWorkerOptions());
  return ProbeRequantize(worker);
}

// Arithmetic that is not the reference's own, in a worker.
TEST(Probe, NamesWhatSaboteursDo) {
  const ProbeReport honest = ProbeSaboteur("none");
  EXPECT_EQ(honest.schemes, Names{kUsual});
  EXPECT_TRUE(honest.is_conclusive());
  struct Row {
    const char* fault;
    const char* scheme;
  };
  for (const Row& row : std::vector<Row>{
           {"round_half_away", "f32/one/away/bias_f32/zp_after"},
           {"round_half_up", "f32/one/up/bias_f32/zp_after"},
           {"round_half_toward_zero", "f32/one/toward_zero/bias_f32/zp_after"},
           {"truncate", "f32/one/truncate/bias_f32/zp_after"},
           {"round_down", "f32/one/floor/bias_f32/zp_after"},
           {"zero_point_before", "f32/one/even/bias_f32/zp_before"},
           {"other_scheme", "f32/one/even/bias_s32/zp_after"},
           {"lie_about_scheme", "f32/one/even/bias_s32/zp_after"}}) {
    const ProbeReport report = ProbeSaboteur(row.fault);
    EXPECT_EQ(report.schemes, Names{row.scheme}) << row.fault;
    EXPECT_EQ(report.is_conclusive(), row.fault == std::string("other_scheme"))
        << row.fault;
  }
  for (const char* fault : {"multiplier_16_bits", "bias_overflow"}) {
    const ProbeReport report = ProbeSaboteur(fault);
    EXPECT_TRUE(report.schemes.empty()) << fault;
    EXPECT_FALSE(report.closest.empty()) << fault;
  }
}

TEST(Probe, NamesAccumulatorsAndClampsOfSaboteurs) {
  struct Row {
    const char* fault;
    const char* line;
    const char* text;
  };
  for (const Row& row : std::vector<Row>{
           {"pair_saturation", "accumulator",
            "wider than s32, of pairs that saturate to s16"},
           {"pair_wraps", "accumulator", "wider than s32, of pairs that wrap at s16"},
           {"float32_accumulator", "accumulator", "f32"},
           {"accumulator_16_bits", "accumulator", "s16, saturates at the end"},
           {"accumulator_24_bits", "accumulator", "s24, wraps"},
           {"weights_halved", "accumulator",
            "wider than s32, of weights without their lowest bit"},
           {"products_shifted", "accumulator",
            "wider than s32, of products without their lowest bit"},
           {"wraps_at_bounds", "clamp", "none: codes wrap"},
           {"clamp_before_zero_point", "clamp", "before zero point, and again after it"},
           {"relu_at_code_zero", "relu", "at code 0, not at the zero point"},
           {"no_relu", "relu", "has no effect"}}) {
    const ProbeReport report = ProbeSaboteur(row.fault);
    EXPECT_EQ(LineOf(report, row.line).text, row.text) << row.fault;
  }
}

TEST(Probe, SaysWhenAnswersAreNotRepeatable) {
  EXPECT_EQ(LineOf(ProbeSaboteur("none"), "repeatable").text,
            "same bits on a second call, misaligned, from two threads and beside another "
            "plan");
  for (const char* fault : {"second_call", "stale_scratch", "data_race",
                            "assumes_alignment", "depends_on_threads"}) {
    const ProbeReport report = ProbeSaboteur(fault);
    EXPECT_TRUE(LineOf(report, "repeatable").text.starts_with("no: ")) << fault;
    EXPECT_FALSE(report.is_conclusive()) << fault;
    EXPECT_LE(report.calls, 1000) << fault;
  }
  Worker worker(SaboteurFile("saboteur_none"), TestWorkerOptions());
  EXPECT_TRUE(LineOf(ProbeOperator(worker, "quantize"), "repeatable").known);
}

TEST(Probe, CountsACrashAsNoAnswer) {
  const ProbeReport report = ProbeSaboteur("crash_in_run");
  EXPECT_EQ(report.failure, "CRASH(SIGSEGV) in run");
  EXPECT_TRUE(report.schemes.empty());
  EXPECT_FALSE(report.is_conclusive());
  const ProbeReport refused = ProbeSaboteur("refuse_declared");
  EXPECT_TRUE(refused.form.empty());
  EXPECT_EQ(refused.first_disagreement, "not today");
}

}  // namespace
}  // namespace qconform
