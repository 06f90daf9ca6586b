#include "conformance/contract/answer_difference.h"

#include <unordered_map>

#include "reference/ir/isomorphism.h"
#include "reference/observe/used_modules.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

// An absent tensor and one that is None are the same.
void DropNone(OrderedMap<std::optional<Tensor>>& tensors) {
  OrderedMap<std::optional<Tensor>> kept;
  for (const auto& [name, tensor] : tensors) {
    if (tensor) kept.Set(name, tensor);
  }
  tensors = std::move(kept);
}

// As deep as modules nest. The reference marks its modules of strict mode, so that its
// own interpreter runs them as declared; that is nobody else's word.
void DropUncompared(Module& module) {
  DropNone(module.parameters);
  DropNone(module.buffers);
  module.attributes.Erase(kAsDeclared);
  for (auto& [name, child] : module.children) {
    if (child) DropUncompared(*child);
  }
}

// Every module is called by the first path that calls it, so that paths are one to one
// only if the same nodes share a module. Whether a module is in training mode is no part
// of an answer: torch leaves observers of either kind behind.
GraphModule Canonical(const GraphModule& module) {
  GraphModule copy = module.CloneSharingParameters();
  std::unordered_map<const Module*, std::string> paths;
  for (Node& node : copy.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const Module* called = copy.ModuleAt(node.target());
    if (called == nullptr) continue;
    const auto [found, fresh] = paths.emplace(called, node.target());
    if (!fresh) node.set_target(found->second);
  }
  SetTraining(*copy.root, false);
  DropUncompared(*copy.root);
  return copy;
}

std::string Refusal(const PipelineAnswer& answer) {
  return answer.refusal_error + " in " + answer.refusal_stage + ": " +
         answer.refusal_message;
}

}  // namespace

std::optional<std::string> FindGraphDifference(const GraphModule& want,
                                               const GraphModule& got) {
  IsomorphismOptions options;
  options.ignore_paths = true;
  return FindDifference(Canonical(want), Canonical(got), options);
}

std::optional<AnswerDifference> FindAnswerDifference(const PipelineAnswer& want,
                                                     const PipelineAnswer& got) {
  if (want.refused() != got.refused()) {
    return want.refused() ? AnswerDifference{"accepts what is refused", Refusal(want)}
                          : AnswerDifference{"refuses what is accepted", Refusal(got)};
  }
  if (want.refused() && want.refusal_stage != got.refusal_stage) {
    return AnswerDifference{"refuses elsewhere",
                            "got " + Refusal(got) + ", want " + Refusal(want)};
  }
  if (want.prepared && got.prepared) {
    if (auto text = FindGraphDifference(*want.prepared, *got.prepared)) {
      return AnswerDifference{"prepared graph", *text};
    }
  }
  if (want.reference && got.reference) {
    if (auto text = FindGraphDifference(*want.reference, *got.reference)) {
      return AnswerDifference{"reference graph", *text};
    }
  }
  return std::nullopt;
}

}  // namespace qconform
