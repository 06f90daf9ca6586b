#include "conformance/probe/probe_requantize.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "conformance/probe/accumulator.h"
#include "conformance/probe/repeatable.h"
#include "conformance/probe/saturation.h"
#include "conformance/probe/scheme_lines.h"
#include "conformance/probe/scheme_search.h"

namespace qconform {
namespace {

using Bias = ProbeForm::Bias;

ProbeQuestion FirstQuestion(const ProbeForm& form) {
  ProbeQuestion question;
  question.input_scale = 0.5f;
  question.weight_scale = 0.125f;
  question.output_scale = 0.25f;
  question.zero_point = form.middle();
  question.accumulators = {20, -20};
  if (form.bias == Bias::kF32) question.bias = 0.0f;
  if (form.bias == Bias::kS32) question.bias_code = 0;
  return question;
}

bool Takes(const ProbeForm& form, Questioner& questioner) {
  return questioner.Codes(CallOf(form, FirstQuestion(form))).has_value();
}

// Many outputs: two threads are to meet.
OperatorCall RepeatedCall(const ProbeForm& form) {
  ProbeQuestion question = FirstQuestion(form);
  question.accumulators.clear();
  // Few, so that the host can afford many turns of two threads.
  for (int32_t i = -16; i < 16; ++i) question.accumulators.push_back(19 * i);
  return CallOf(form, question);
}

// The first form that the backend takes, and the same with codes of the other sign, in
// the output or on both sides. None: it takes none.
std::vector<ProbeForm> FindForms(int32_t kind, Questioner& questioner) {
  for (const Bias bias : {Bias::kF32, Bias::kS32, Bias::kNone})
    for (ProbeForm form : ProbeForms()) {
      if (kind != 0 && form.kind != kind) continue;
      form.bias = bias;
      if (!Takes(form, questioner)) continue;
      std::vector<ProbeForm> forms = {form};
      ProbeForm other = form;
      other.y = form.y == QC_U8 ? QC_S8 : QC_U8;
      bool taken = Takes(other, questioner);
      if (!taken) {
        other.x = other.y;
        taken = Takes(other, questioner);
      }
      if (taken) forms.push_back(other);
      return forms;
    }
  return {};
}

ProbeLine AccumulatorLine(const AccumulatorFinding& finding) {
  ProbeLine line{"accumulator", ""};
  if (finding.asked == 0) {
    line.text = "not asked: every witness was refused";
    return line;
  }
  if (finding.rules.empty()) {
    line.text = fmt::format("no known one, closest {}", finding.closest);
    line.evidence = fmt::format("{} of {} witnesses; {}", finding.agreeing, finding.asked,
                                finding.first_disagreement);
    line.known = false;
    return line;
  }
  line.text = fmt::format("{}", fmt::join(finding.rules, ", or "));
  line.evidence =
      fmt::format("evidence: {} of {} witnesses", finding.agreeing, finding.asked);
  if (!finding.refused.empty())
    line.evidence += fmt::format("; refused: {}", fmt::join(finding.refused, ", "));
  return line;
}

std::string WhyNotApart(const std::vector<Scheme>& alive,
                        const std::vector<ProbeForm>& forms) {
  if (alive.size() < 2) return "";
  bool only_bias = true;
  bool only_below_zero = true;
  for (Scheme scheme : alive) {
    only_below_zero = only_below_zero && scheme.zero_point == Scheme::ZeroPoint::kBefore;
    scheme.bias = alive[0].bias;
    only_bias = only_bias && scheme == alive[0];
  }
  const Bias bias = forms[0].bias;
  if (only_bias && bias == Bias::kNone) return "the backend takes no bias";
  if (only_bias && bias == Bias::kS32)
    return "the backend takes a bias of s32 only, which needs no rounding";
  const bool only_u8 = std::all_of(forms.begin(), forms.end(),
                                   [](const ProbeForm& form) { return form.y == QC_U8; });
  if (only_below_zero && only_u8)
    return "they differ below zero, and the backend has no codes of s8";
  return "they agree on every accumulator that was tried out";
}

}  // namespace

ProbeReport ProbeRequantize(CallTarget& target, int32_t kind) {
  ProbeReport report;
  report.subject = "requantize";
  report.known_schemes = KnownSchemes().size();
  Questioner questioner(target, kMostProbeCalls);
  const std::vector<ProbeForm> forms = FindForms(kind, questioner);
  if (forms.empty()) {
    report.first_disagreement = questioner.refusal();
    report.failure = questioner.failure();
    report.calls = questioner.calls();
    return report;
  }
  const ProbeForm& form = forms[0];
  report.form = form.Text();
  const AccumulatorFinding accumulator = FindAccumulator(form, questioner);
  report.lines.push_back(AccumulatorLine(accumulator));
  // Where nothing is known about it, small sums are the best guess.
  const int64_t exact = accumulator.rules.empty() ? 1 << 15 : accumulator.exact_up_to;
  const std::vector<ProbeLine> saturation = FindSaturation(forms, exact, questioner);
  if (exact > 0) {
    const SchemeFinding finding = FindScheme(forms, exact, KnownSchemes(), questioner);
    std::vector<SchemePart> parts = {SchemePart::kMultiplier, SchemePart::kTies};
    if (form.bias != Bias::kNone) parts.push_back(SchemePart::kBias);
    parts.push_back(SchemePart::kZeroPoint);
    for (ProbeLine& line : SchemeLines(finding.alive, parts, [&](const Scheme& scheme) {
           return finding.FirstDisagreement(scheme);
         }))
      report.lines.push_back(std::move(line));
    report.why_not_apart = WhyNotApart(finding.alive, forms);
    report.answers = finding.answers;
    if (finding.closest) {
      report.closest = SchemeName(*finding.closest);
      report.agreeing = finding.agreeing;
      report.first_disagreement = finding.FirstDisagreement(*finding.closest);
    }
    const auto& declared = questioner.declared();
    SetSchemes(report, finding.alive, {declared.begin(), declared.end()});
  }
  report.lines.insert(report.lines.end(), saturation.begin(), saturation.end());
  report.lines.push_back(FindRepeatability(RepeatedCall(form), questioner));
  report.failure = questioner.failure();
  report.calls = questioner.calls();
  return report;
}

}  // namespace qconform
