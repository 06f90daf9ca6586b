#include "reference/quantizers/composable_quantizer.h"

#include <unordered_map>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// An annotation as it stood after some quantizer.
struct Seen {
  std::shared_ptr<QuantizationAnnotation> object;
  QuantizationAnnotation value;
};

bool Equal(const QuantizationAnnotation& a, const QuantizationAnnotation& b) {
  if (a.inputs.size() != b.inputs.size() || a.annotated != b.annotated ||
      a.allow_implicit_sharing != b.allow_implicit_sharing ||
      !SpecEquals(a.output, b.output)) {
    return false;
  }
  for (const auto& [producer, spec] : a.inputs) {
    const QuantizationSpecPointer* other = b.inputs.Find(producer);
    if (other == nullptr || !SpecEquals(spec, *other)) return false;
  }
  return true;
}

std::string NameOf(const Quantizer& quantizer, size_t index) {
  const auto* accounting = dynamic_cast<const AccountingQuantizer*>(&quantizer);
  return "quantizer " + std::to_string(index) +
         (accounting == nullptr ? "" : " (" + accounting->Name() + ")");
}

}  // namespace

void ComposableQuantizer::TransformForAnnotation(ExportedProgram& program) {
  for (const auto& quantizer : quantizers_) quantizer->TransformForAnnotation(program);
}

void ComposableQuantizer::Annotate(const ExportedProgram& program,
                                   Annotations& annotations) {
  std::unordered_map<std::string, Seen> seen;
  for (size_t i = 0; i < quantizers_.size(); ++i) {
    quantizers_[i]->Annotate(program, annotations);
    for (const Node& node : program.module.graph.nodes()) {
      const auto found = annotations.by_node().find(node.name());
      const auto before = seen.find(node.name());
      if (before != seen.end()) {
        std::string what;
        if (found == annotations.by_node().end()) {
          what = "removed";
        } else if (found->second != before->second.object ||
                   (mode() == Mode::kStrict &&
                    !Equal(*found->second, before->second.value))) {
          what = "changed";
        }
        if (!what.empty()) {
          throw PipelineError("RuntimeError", NameOf(*quantizers_[i], i) + " has " +
                                                  what + " annotations on node " +
                                                  node.name());
        }
      }
      if (found != annotations.by_node().end()) {
        seen[node.name()] = {found->second, *found->second};
      }
    }
  }
}

std::vector<std::string> ComposableQuantizer::Warnings() const {
  std::vector<std::string> all;
  for (const auto& quantizer : quantizers_) {
    const auto* part = dynamic_cast<const AccountingQuantizer*>(quantizer.get());
    if (part == nullptr) continue;
    for (std::string& warning : part->Warnings()) all.push_back(std::move(warning));
  }
  return all;
}

SettingAccounts ComposableQuantizer::Accounts() const {
  SettingAccounts all;
  for (size_t i = 0; i < quantizers_.size(); ++i) {
    const auto* part = dynamic_cast<const AccountingQuantizer*>(quantizers_[i].get());
    if (part == nullptr) continue;
    for (SettingAccount& account : part->Accounts()) {
      account.setting = part->Name() + " " + account.setting;
      all.push_back(std::move(account));
    }
  }
  return all;
}

}  // namespace qconform
