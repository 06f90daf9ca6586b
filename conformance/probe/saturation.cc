#include "conformance/probe/saturation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace qconform {
namespace {

// A way from a rounded product to a code. `low` is already raised by a ReLU, if there is
// one.
struct ClampRule {
  const char* text;
  int32_t (*code)(int64_t rounded, int32_t zero_point, CodeBounds bounds);
};

int32_t AsByte(int64_t code, CodeBounds bounds) {
  return bounds.min == 0 ? static_cast<int32_t>(static_cast<uint8_t>(code))
                         : static_cast<int32_t>(static_cast<int8_t>(code));
}

int32_t AfterZeroPoint(int64_t rounded, int32_t zero_point, CodeBounds bounds) {
  return static_cast<int32_t>(std::clamp(rounded + zero_point, bounds.min, bounds.max));
}

int32_t BeforeZeroPoint(int64_t rounded, int32_t zero_point, CodeBounds bounds) {
  return AfterZeroPoint(std::clamp(rounded, bounds.min, bounds.max), zero_point, bounds);
}

int32_t BeforeZeroPointOnly(int64_t rounded, int32_t zero_point, CodeBounds bounds) {
  return AsByte(std::clamp(rounded, bounds.min, bounds.max) + zero_point, bounds);
}

int32_t Never(int64_t rounded, int32_t zero_point, CodeBounds bounds) {
  return AsByte(rounded + zero_point, bounds);
}

constexpr ClampRule kClampRules[] = {
    {"after zero point", AfterZeroPoint},
    {"before zero point, and again after it", BeforeZeroPoint},
    {"before zero point, then codes wrap", BeforeZeroPointOnly},
    {"none: codes wrap", Never},
};

constexpr ClampRule kReluRules[] = {
    {"at the zero point",
     [](int64_t rounded, int32_t zero_point, CodeBounds bounds) {
       return AfterZeroPoint(std::max<int64_t>(rounded, 0), zero_point, bounds);
     }},
    {"at code 0, not at the zero point",
     [](int64_t rounded, int32_t zero_point, CodeBounds bounds) {
       return std::max(AfterZeroPoint(rounded, zero_point, bounds), 0);
     }},
    {"has no effect", AfterZeroPoint},
};

// Halved, so that the products are exact and whatever the scheme does is the same.
ProbeQuestion HalvedQuestion(const ProbeForm& form, std::vector<int32_t> accumulators) {
  ProbeQuestion question;
  question.input_scale = 0.5f;
  question.zero_point = form.y == QC_U8 ? 100 : 30;
  question.accumulators = std::move(accumulators);
  return question;
}

// The rules that give every code.
ProbeLine MatchRule(const char* name, std::initializer_list<ClampRule> rules,
                    const ProbeForm& form, const ProbeQuestion& question,
                    Questioner& questioner) {
  const auto codes = questioner.Codes(CallOf(form, question));
  if (!codes) return {name, "not asked: " + questioner.refusal()};
  const auto code_of = [&](const ClampRule& rule, size_t i) {
    return rule.code(question.accumulators[i] / 2, question.zero_point, form.bounds());
  };
  std::string text;
  for (const ClampRule& rule : rules) {
    bool fits = true;
    for (size_t i = 0; i < codes->size(); ++i)
      fits = fits && code_of(rule, i) == (*codes)[i];
    if (fits) text += (text.empty() ? "" : ", or ") + std::string(rule.text);
  }
  if (!text.empty()) return {name, text};
  for (size_t i = 0; i < codes->size(); ++i)
    if (code_of(*rules.begin(), i) != (*codes)[i])
      return {name, "no known rule",
              fmt::format("{} -> {}", question.Text(i), (*codes)[i]), false};
  return {name, "no known rule", "", false};
}

ProbeLine Beyond32Bits(const ProbeForm& form, int64_t exact_up_to,
                       Questioner& questioner) {
  ProbeQuestion question;
  const auto largest = static_cast<int32_t>(std::min<int64_t>(exact_up_to, 1 << 20) / 2);
  question.input_scale = 0x1p14f;
  question.weight_scale = 0x1p14f;
  question.zero_point = form.middle();
  question.accumulators = {largest, -largest};
  const auto codes = questioner.Codes(CallOf(form, question));
  if (!codes) return {"beyond s32", "not asked: " + questioner.refusal()};
  const CodeBounds bounds = form.bounds();
  if ((*codes)[0] == bounds.max && (*codes)[1] == bounds.min)
    return {"beyond s32", "products saturate to the same bounds"};
  return {"beyond s32",
          fmt::format("products become {} and {}, not {} and {}", (*codes)[0],
                      (*codes)[1], bounds.max, bounds.min),
          "", false};
}

// What reaches the output through a bias.
ProbeLine SpecialValues(const ProbeForm& form, Questioner& questioner) {
  if (form.bias != ProbeForm::Bias::kF32)
    return {"NaN", "not asked: the backend takes no f32 bias"};
  std::vector<int32_t> got;
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    ProbeQuestion question = HalvedQuestion(form, {0});
    question.bias = value;
    const auto codes = questioner.Codes(CallOf(form, question));
    if (!codes) return {"NaN", "not asked: " + questioner.refusal()};
    got.push_back((*codes)[0]);
  }
  const CodeBounds bounds = form.bounds();
  const bool saturate = got[1] == bounds.max && got[2] == bounds.min;
  return {"NaN",
          fmt::format("becomes code {}{}", got[0],
                      got[0] == 0 ? " (the manual's clamp(0))" : ""),
          saturate ? "infinities saturate"
                   : fmt::format("inf becomes {}, -inf {}", got[1], got[2])};
}

}  // namespace

std::vector<ProbeLine> FindSaturation(const std::vector<ProbeForm>& forms,
                                      int64_t exact_up_to, Questioner& questioner) {
  const ProbeForm& form = forms[0];
  // Where codes are positive, a ReLU at code 0 is none.
  const auto with_signs = std::find_if(
      forms.begin(), forms.end(), [](const ProbeForm& each) { return each.y == QC_S8; });
  const ProbeForm& relu_form = with_signs == forms.end() ? form : *with_signs;
  // On both sides of both bounds, as seen with and without the zero point.
  const std::vector<int32_t> around = {20,   -20,  120,  -120,  200,  -200, 260,
                                       -260, 320,  -320, 420,   -420, 520,  -520,
                                       700,  -700, 1000, -1000, 3000, -3000};
  std::vector<ProbeLine> lines;
  lines.push_back(
      MatchRule("clamp", {kClampRules[0], kClampRules[1], kClampRules[2], kClampRules[3]},
                form, HalvedQuestion(form, around), questioner));
  ProbeQuestion relu = HalvedQuestion(relu_form, {40, -40, 90, -90, 120, -120, -190});
  relu.activation = QC_ACTIVATION_RELU;
  lines.push_back(MatchRule("relu", {kReluRules[0], kReluRules[1], kReluRules[2]},
                            relu_form, relu, questioner));
  lines.push_back(Beyond32Bits(form, exact_up_to, questioner));
  lines.push_back(SpecialValues(form, questioner));
  return lines;
}

}  // namespace qconform
