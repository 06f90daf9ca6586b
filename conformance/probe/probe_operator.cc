#include "conformance/probe/probe_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "conformance/compare/exact.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/probe/operator_question.h"
#include "conformance/probe/probe_requantize.h"
#include "conformance/probe/questioner.h"
#include "conformance/probe/repeatable.h"
#include "conformance/probe/scheme_lines.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr uint64_t kTriedOut = 600;
constexpr uint64_t kConfirming = 20;
constexpr int kMostRefusals = 20;

struct Answered {
  OperatorCall call;
  std::vector<Bytes> outputs;
};

class Elimination {
 public:
  // `ids`: that are accepted; they take turns.
  Elimination(std::vector<std::string> ids, Questioner& questioner)
      : ids_(std::move(ids)), questioner_(questioner) {}

  void Run() {
    for (const std::string& name : ReferenceSchemes(OperatorQuestion(ids_[0], 0)))
      if (const auto scheme = ParseScheme(name); scheme && IsRealScheme(*scheme))
        alive_.push_back(*scheme);
    known_ = alive_;
    for (uint64_t i = 0; i < kTriedOut && alive_.size() > 1 && !GaveUp(); ++i) {
      const OperatorCall call = Question(i);
      if (Splits(call)) Ask(call);
    }
    for (uint64_t i = 0; i < kConfirming && !GaveUp(); ++i) Ask(Question(kTriedOut + i));
    if (answered_.empty()) alive_.clear();
  }

  const std::vector<Scheme>& alive() const { return alive_; }
  size_t known() const { return known_.size(); }

  // The elements that a scheme gives, and of how many.
  int64_t Agreeing(const Scheme& scheme) const {
    int64_t agreeing = 0;
    for (const Answered& each : answered_) {
      const Difference difference = DifferenceOf(each, scheme);
      agreeing += difference.elements - difference.wrong;
    }
    return agreeing;
  }
  int64_t Answers() const {
    int64_t answers = 0;
    for (const Answered& each : answered_)
      answers += NumElements(each.call.outputs[0].shape);
    return answers;
  }

  void FindClosest(ProbeReport& report) const {
    for (const Scheme& scheme : known_) {
      const int64_t agreeing = Agreeing(scheme);
      if (agreeing <= report.agreeing) continue;
      report.agreeing = agreeing;
      report.closest = SchemeName(scheme);
      report.first_disagreement = FirstDisagreement(scheme);
    }
  }

  // "" too for a scheme that the operator has no definition under.
  std::string FirstDisagreement(const Scheme& scheme) const {
    if (std::find(known_.begin(), known_.end(), scheme) == known_.end()) return "";
    for (const Answered& each : answered_) {
      const Difference difference = DifferenceOf(each, scheme);
      if (difference.equal()) continue;
      const CallTensor& y = each.call.outputs[0];
      const auto want = ReferenceOutputs(each.call, SchemeName(scheme));
      return fmt::format("{} -> {}, not {}", ValueText(each.call, difference.index),
                         ElementAt(y, each.outputs[0], difference.index),
                         ElementAt(y, (*want)[0], difference.index));
    }
    return "";
  }

 private:
  OperatorCall Question(uint64_t number) const {
    return OperatorQuestion(ids_[number / 3 % ids_.size()], number);
  }

  bool GaveUp() const { return refusals_ >= kMostRefusals || questioner_.exhausted(); }

  static Difference DifferenceOf(const Answered& each, const Scheme& scheme) {
    return CompareExactly(each.call.outputs, each.outputs,
                          *ReferenceOutputs(each.call, SchemeName(scheme)));
  }

  // The value before it is rounded, in steps of the output.
  static std::string ValueText(const OperatorCall& call, int64_t index) {
    OperatorCall real = call;
    CallTensor& output = real.outputs[0];
    output.dtype = QC_F32;
    output.scale.clear();
    output.zero_point.clear();
    if (real.kind == QC_REQUANTIZE) real.kind = QC_DEQUANTIZE;
    const double scale = call.outputs[0].scale[0];
    const int32_t zero_point = call.outputs[0].zero_point[0];
    std::optional<double> value;
    if (call.kind == QC_QUANTIZE) {
      value = ElementAt(*call.inputs[0], call.inputs[0]->data, index);
    } else if (const auto outputs = ReferenceOutputs(real, kRealSchemeName)) {
      value = ElementAt(output, (*outputs)[0], index);
    }
    const std::string zero = fmt::format("zero point {}", zero_point);
    if (!value) return fmt::format("element {}, {}", index, zero);
    return fmt::format("value {:.9g} of {:.9g} a step, {}", *value, scale, zero);
  }

  bool Splits(const OperatorCall& call) const {
    const auto first = ReferenceOutputs(call, SchemeName(alive_[0]));
    return std::any_of(alive_.begin() + 1, alive_.end(), [&](const Scheme& scheme) {
      return ReferenceOutputs(call, SchemeName(scheme)) != first;
    });
  }

  void Ask(const OperatorCall& call) {
    auto outputs = questioner_.Outputs(call);
    if (!outputs) {
      ++refusals_;
      return;
    }
    refusals_ = 0;
    answered_.push_back({call, std::move(*outputs)});
    std::erase_if(alive_, [&](const Scheme& scheme) {
      return !DifferenceOf(answered_.back(), scheme).equal();
    });
  }

  std::vector<std::string> ids_;
  Questioner& questioner_;
  std::vector<Scheme> alive_;
  std::vector<Scheme> known_;
  std::vector<Answered> answered_;
  int refusals_ = 0;
};

// Quantize alone has inputs that are no codes.
ProbeLine SpecialValues(const std::string& id, Questioner& questioner) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {std::numeric_limits<float>::quiet_NaN(), kInfinity,
                                     -kInfinity, 1e30f, -1e30f};
  OperatorCall call = OperatorQuestion(id, 0);
  CallTensor& x = *call.inputs[0];
  x.shape = {static_cast<int64_t>(values.size())};
  x.data.resize(x.byte_size());
  std::memcpy(x.data.data(), values.data(), x.data.size());
  call.outputs[0].shape = x.shape;
  const auto codes = questioner.Codes(call);
  if (!codes) return {"NaN", "not asked: " + questioner.refusal()};
  const CodeBounds bounds = BoundsOf(call.outputs[0]);
  const auto& got = *codes;
  const bool saturates = got[1] == bounds.max && got[2] == bounds.min &&
                         got[3] == bounds.max && got[4] == bounds.min;
  return {"NaN",
          fmt::format("becomes code {}{}", got[0],
                      got[0] == 0 ? " (the manual's clamp(0))" : ""),
          saturates ? "infinities and 1e30 saturate"
                    : fmt::format("inf becomes {}, -inf {}, 1e30 {}, -1e30 {}", got[1],
                                  got[2], got[3], got[4]),
          saturates};
}

}  // namespace

std::vector<std::string> ProbedOperators() {
  std::vector<std::string> names;
  for (const OperatorTemplate& each : OperatorTemplates()) names.push_back(each.name);
  return names;
}

ProbeReport ProbeOperator(CallTarget& target, const std::string& name) {
  const auto& all = OperatorTemplates();
  const auto asked =
      std::find_if(all.begin(), all.end(),
                   [&](const OperatorTemplate& each) { return each.name == name; });
  if (asked == all.end()) {
    throw InputError("--op " + name, "no operator that probe knows",
                     fmt::format("requantize, linear, conv2d, {}",
                                 fmt::join(ProbedOperators(), ", ")));
  }
  ProbeReport report;
  report.subject = name;
  Questioner questioner(target, kMostProbeCalls);
  std::vector<std::string> ids;
  for (const std::string& id : asked->ids)
    if (questioner.Outputs(OperatorQuestion(id, 0))) ids.push_back(id);
  if (!ids.empty()) {
    report.form = ids[0];
    Elimination elimination(ids, questioner);
    elimination.Run();
    report.known_schemes = elimination.known();
    report.answers = elimination.Answers();
    report.lines = SchemeLines(
        elimination.alive(),
        {SchemePart::kMultiplier, SchemePart::kTies, SchemePart::kZeroPoint},
        [&](const Scheme& scheme) { return elimination.FirstDisagreement(scheme); });
    if (elimination.alive().empty()) elimination.FindClosest(report);
    if (elimination.alive().size() > 1)
      report.why_not_apart = "they agree on everything that was tried out";
    const auto declared = questioner.declared();
    SetSchemes(report, elimination.alive(), {declared.begin(), declared.end()});
    if (name == "quantize") report.lines.push_back(SpecialValues(ids[0], questioner));
    report.lines.push_back(FindRepeatability(OperatorQuestion(ids[0], 0), questioner));
  } else {
    report.first_disagreement = questioner.refusal();
  }
  report.failure = questioner.failure();
  report.calls = questioner.calls();
  return report;
}

}  // namespace qconform
