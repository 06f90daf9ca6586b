#include "reference/quantizers/quantizer_modes.h"

#include <algorithm>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// What one mode did.
struct Outcome {
  std::shared_ptr<AccountingQuantizer> quantizer;
  ExportedProgram program;
  Annotations annotations;
  std::string refusal;  // "AssertionError: ...", or empty
};

Outcome Run(const ExportedProgram& program, const QuantizerFactory& make, Mode mode) {
  Outcome outcome;
  outcome.program = program.CloneSharingParameters();
  try {
    outcome.quantizer = make(mode);
    outcome.quantizer->TransformForAnnotation(outcome.program);
    outcome.quantizer->Annotate(outcome.program, outcome.annotations);
  } catch (const PipelineError& error) {
    outcome.refusal = error.kind() + ": " + error.what();
  }
  return outcome;
}

bool SameSpecs(const QuantizationAnnotation* a, const QuantizationAnnotation* b) {
  static const QuantizationAnnotation none;
  if (a == nullptr) a = &none;
  if (b == nullptr) b = &none;
  if (!SpecEquals(a->output, b->output)) return false;
  const auto covered = [](const QuantizationAnnotation& x,
                          const QuantizationAnnotation& y) {
    return std::all_of(x.inputs.begin(), x.inputs.end(), [&](const auto& entry) {
      const QuantizationSpecPointer* other = y.inputs.Find(entry.first);
      return SpecEquals(entry.second, other == nullptr ? nullptr : *other);
    });
  };
  return covered(*a, *b) && covered(*b, *a);
}

std::string TextOf(const Outcome& outcome, const std::string& node) {
  const QuantizationAnnotation* annotation = outcome.annotations.Find(node);
  const bool quantized = annotation != nullptr &&
                         (annotation->output != nullptr || !annotation->inputs.empty());
  if (quantized) return "annotates it (" + annotation->rule + ")";
  std::string text = "leaves it in float";
  if (annotation != nullptr && annotation->annotated && !annotation->rule.empty()) {
    return text + " (" + annotation->rule + ")";
  }
  for (const SettingAccount& account : outcome.quantizer->Accounts()) {
    for (const auto& [left, reason] : account.not_reached) {
      if (left == node) return text + " (" + account.setting + ": " + reason + ")";
    }
  }
  return text;
}

std::string TextOf(const Outcome& outcome) {
  if (!outcome.refusal.empty()) return "raises " + outcome.refusal;
  return "annotates " + std::to_string(outcome.annotations.size()) + " nodes";
}

}  // namespace

ModeDifferences CompareQuantizerModes(const ExportedProgram& program,
                                      const QuantizerFactory& make) {
  const Outcome torch = Run(program, make, Mode::kTorch);
  const Outcome strict = Run(program, make, Mode::kStrict);
  if (!torch.refusal.empty() || !strict.refusal.empty()) {
    if (!torch.refusal.empty() && !strict.refusal.empty()) return {};
    const Outcome& whole = torch.refusal.empty() ? torch : strict;
    return {{"quantizer", whole.quantizer->Name(), TextOf(torch), TextOf(strict)}};
  }
  ModeDifferences differences;
  for (const Node& node : strict.program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    if (SameSpecs(torch.annotations.Find(node), strict.annotations.Find(node))) continue;
    differences.push_back({"annotation", node.name(), TextOf(torch, node.name()),
                           TextOf(strict, node.name())});
  }
  return differences;
}

}  // namespace qconform
