#include "reference/quantizers/inductor_account.h"

#include <algorithm>
#include <unordered_set>

#include "reference/ir/error.h"

namespace qconform {
namespace {

bool Covers(const InductorPass& pass, const Node& node) {
  try {
    return pass.filter({&node});
  } catch (const PipelineError&) {
    return false;
  }
}

// What torchao's partitions know a node as.
std::string OriginOf(const InductorPass& pass, const Node& node) {
  const NodeMetadata& metadata = pass.program.MetadataOf(node);
  if (!metadata.source_fn_stack.empty()) {
    return "its source function is " + metadata.source_fn_stack.back().type;
  }
  std::string text =
      metadata.nn_module_stack.empty()
          ? std::string("it has no module stack")
          : "its innermost module is of class " + metadata.nn_module_stack.back().type;
  return text + ", and without strict=True a function is not told by what was called";
}

// Nodes that lie in a partition of a layer but are no output of it.
using NodeSet = std::unordered_set<const Node*>;
NodeSet NodesInLayers(const InductorPass& pass) {
  NodeSet nodes;
  for (const SourcePartition& partition :
       pass.index.Find({"torch.nn.Conv2d", "torch.nn.functional.conv2d",
                        "torch.nn.Linear", "torch.nn.functional.linear"})) {
    nodes.insert(partition.nodes.begin(), partition.nodes.end());
  }
  return nodes;
}

// Why no recipe took a node that one of them is for.
std::string WhyNot(const InductorPass& pass, const NodeSet& in_layers, const Node& node) {
  const std::string& target = node.target();
  if (target == "aten.conv1d.default") {
    return pass.operators.propagated.empty()
               ? "ArmInductorQuantizer has no recipe for it"
               : "a one-dimensional convolution is quantized as nn.Conv1d with nn.ReLU "
                 "behind it only";
  }
  if (target == "aten.conv2d.default" || target == "aten.linear.default") {
    if (in_layers.contains(&node)) {
      return "its module is called more than once, and only what leaves the last call is "
             "found";
    }
    return "not found as a layer: " + OriginOf(pass, node);
  }
  return "no recipe matches it";
}

}  // namespace

void ExplainInductorSetting(InductorPass& pass, size_t setting, const std::string& why) {
  const NodeSet in_layers = NodesInLayers(pass);
  size_t covered = 0;
  for (const Node& node : pass.program.module.graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    const bool matmul = node.target() == "aten.matmul.default";
    if (!pass.operators.quantizable.contains(node.target())) continue;
    if (!Covers(pass, node)) {
      if (matmul && pass.ledger.current() == "set_global" && !pass.IsAnnotated(node)) {
        pass.ledger.NotReached(node,
                               "a global config is not about matmul; its module's name "
                               "or its type can be set");
      }
      continue;
    }
    ++covered;
    if (pass.IsAnnotated(node) || pass.ledger.Said(node)) continue;
    pass.ledger.NotReached(node, WhyNot(pass, in_layers, node));
  }
  if (!why.empty()) {
    pass.ledger.Reason(setting, why);
  } else if (covered == 0) {
    pass.ledger.Reason(
        setting, "nothing that " + pass.operators.class_name + " quantizes is there");
  } else {
    pass.ledger.Reason(setting,
                       "each of its operators is taken by another setting, or "
                       "is listed with a reason");
  }
}

std::string WhyNoCall(const ExportedProgram& program, const std::string& target) {
  const auto& nodes = program.module.graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const Node& node) {
                       return node.op() == Op::kCallFunction && node.target() == target;
                     })
             ? ""
             : "no node calls " + target;
}

}  // namespace qconform
