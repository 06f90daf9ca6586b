#include "reference/quantizers/xnnpack_account.h"

#include <algorithm>
#include <unordered_map>

namespace qconform {
namespace {

// Operators with a recipe, and why one of them may be left.
const std::unordered_map<std::string, std::string>& Reasons() {
  static const std::string by_function =
      "without strict=True a function is not told by what was called";
  static const std::string with_relu = "quantized with a relu behind it only";
  static const std::string with_batch_norm = "no recipe matches it";
  static const std::unordered_map<std::string, std::string> reasons = {
      {"aten.linear.default", with_batch_norm},
      {"aten.conv1d.default", with_batch_norm},
      {"aten.conv2d.default", with_batch_norm},
      {"aten.conv1d.padding", with_relu},
      {"aten.conv2d.padding", with_relu},
      {"aten.conv3d.default", with_relu},
      {"aten.conv3d.padding", with_relu},
      {"aten.conv_transpose1d.default", with_relu},
      {"aten.conv_transpose2d.input", with_relu},
      {"aten.conv_transpose3d.input", with_relu},
      {"aten.add.Tensor", with_batch_norm},
      {"aten.add_.Tensor", with_batch_norm},
      {"aten.mul.Tensor", with_batch_norm},
      {"aten.mul_.Tensor", with_batch_norm},
      {"aten.cat.default", by_function},
      {"aten.gru.input", "no recipe matches it"},
  };
  return reasons;
}

}  // namespace

void ExplainXnnpackSetting(XnnpackPass& pass, size_t setting, const std::string& why,
                           bool is_dynamic) {
  size_t covered = 0;
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction || !pass.filter(node)) continue;
    if (pass.main_filter && !pass.main_filter(node)) continue;
    const auto reason = Reasons().find(node.target());
    if (reason == Reasons().end()) continue;
    ++covered;
    if (pass.IsAnnotated(node) || pass.ledger.Said(node) || pass.config == nullptr) {
      continue;
    }
    pass.ledger.NotReached(
        node, is_dynamic ? "a dynamic config quantizes linears only" : reason->second);
  }
  if (!why.empty()) {
    pass.ledger.Reason(setting, why);
  } else if (pass.config == nullptr) {
    pass.ledger.Reason(setting, "None only keeps the global config away");
  } else if (covered == 0) {
    pass.ledger.Reason(setting, "nothing that XNNPACKQuantizer quantizes is there");
  } else {
    pass.ledger.Reason(setting,
                       "each of its operators is taken by another setting, or is listed "
                       "with a reason");
  }
}

std::string WhyNoOperator(const ExportedProgram& program, const NodeFilter& calls,
                          const std::string& target) {
  const auto& nodes = program.module.graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(), calls) ? "" : "no node calls " + target;
}

}  // namespace qconform
