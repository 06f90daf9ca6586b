#include "reference/quantizers/xnnpack_pass.h"

#include <algorithm>

namespace qconform {

bool CallsOneOf(const Node& node, const std::vector<std::string>& targets) {
  return node.op() == Op::kCallFunction &&
         std::find(targets.begin(), targets.end(), node.target()) != targets.end();
}

std::string XnnpackPass::Rule(const std::string& recipe) const {
  return "XNNPACKQuantizer " + ledger.current() + ": " + recipe;
}

bool XnnpackPass::Skip(const Node& main, const Nodes& partition) {
  const auto is_call = [](const Node* node) { return node->op() == Op::kCallFunction; };
  const auto passes = [&](const Node* node) { return !filter || filter(*node); };
  const auto passes_if_call = [&](const Node* node) {
    return !is_call(node) || passes(node);
  };
  if (main_filter && !main_filter(main)) return true;
  const bool calls_pass = std::all_of(partition.begin(), partition.end(), passes_if_call);
  const bool torch = mode == Mode::kTorch;
  for (const Node* node : partition) {
    if (!IsAnnotated(*node) || (!torch && !is_call(node))) continue;
    if (!calls_pass) return true;
    if (is_call(node)) {
      if (ledger.HasOwner(*node)) {
        ledger.Beaten(*node);
      } else {
        const std::string& rule = annotations.Find(*node)->rule;
        ledger.BeatenBy(*node, rule.empty() ? "another quantizer" : rule);
      }
    } else {
      ledger.NotReached(main, node->name() +
                                  ", which it shares with another node, is "
                                  "marked as annotated");
    }
    return true;
  }
  if (!calls_pass) return true;
  if (!torch) return false;
  for (const Node* node : partition) {
    if (passes(node)) continue;
    ledger.NotReached(main, std::string("the setting is asked of its ") +
                                OpName(node->op()) + " node " + node->name() +
                                ", too, which comes from no module");
    return true;
  }
  return false;
}

void XnnpackPass::Annotate(const Node& node, QuantizationAnnotation annotation,
                           const std::string& recipe) {
  annotation.annotated = true;
  annotation.rule = Rule(recipe);
  annotations.Set(node, std::move(annotation));
  ledger.Reach(node);
}

void XnnpackPass::MarkAnnotated(const Nodes& nodes) {
  for (const Node* node : nodes) annotations[*node].annotated = true;
}

}  // namespace qconform
