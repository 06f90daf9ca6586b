// Linears of the quantizers for Inductor.
#include <algorithm>

#include "reference/ir/error.h"
#include "reference/quantizers/inductor_pass.h"

namespace qconform {
namespace {

bool IsLinear(const Node& node) {
  return node.op() == Op::kCallFunction && node.target() == "aten.linear.default";
}

// A module that is called more than once fuses with nothing.
bool HasManyOutputs(const std::vector<SourcePartition>& chain) {
  return std::any_of(chain.begin(), chain.end(), [](const SourcePartition& partition) {
    return partition.outputs.size() > 1;
  });
}

// linear + add [+ relu]: the add's other input stays in float, unlike a conv's.
void AnnotateLinearBinary(InductorPass& pass, bool has_unary) {
  std::vector<std::string> sources = {"torch.nn.Linear", "operator.add"};
  if (has_unary) sources.push_back("torch.nn.ReLU");
  const std::string recipe = has_unary ? "linear-add-relu" : "linear-add";
  for (const auto& chain : pass.index.FindSequential(sources)) {
    if (HasManyOutputs(chain)) continue;
    const ConstNodes nodes = OutputsOf(chain);
    const Node& linear = *nodes[0];
    if (linear.users().size() != 1) continue;
    if (!FindBinaryInputs(pass, linear, *nodes[1]) || !IsLinear(linear)) continue;
    if (pass.Skip(ConstNodes(nodes.rbegin(), nodes.rend()))) continue;
    if (pass.config == nullptr) {
      pass.LeaveInFloat(nodes, recipe);
      continue;
    }
    pass.AnnotateWeighted(linear, false, recipe);
    QuantizationAnnotation annotation;
    annotation.is_output_of_quantized_pattern = !has_unary;
    pass.Annotate(*nodes[1], std::move(annotation), recipe);
    if (has_unary) pass.AnnotateLast(*nodes[2], recipe);
  }
}

void AnnotateLinearUnary(InductorPass& pass) {
  for (const char* unary :
       {"torch.nn.ReLU", "torch.nn.LeakyReLU", "torch.nn.Tanh", "torch.nn.GELU"}) {
    for (const auto& chain : pass.index.FindSequential({"torch.nn.Linear", unary})) {
      if (HasManyOutputs(chain)) continue;
      const ConstNodes nodes = OutputsOf(chain);
      if (!IsLinear(*nodes[0]) || pass.Skip({nodes[1], nodes[0]})) continue;
      if (pass.config == nullptr) {
        pass.LeaveInFloat(nodes, "linear-unary");
        continue;
      }
      pass.AnnotateWeighted(*nodes[0], false, "linear-unary");
      pass.AnnotateLast(*nodes[1], "linear-unary");
    }
  }
}

}  // namespace

void AnnotateLinears(InductorPass& pass, InductorTarget target) {
  if (target == InductorTarget::kX86) {
    AnnotateLinearBinary(pass, true);
    AnnotateLinearBinary(pass, false);
  }
  AnnotateLinearUnary(pass);
  for (const SourcePartition& partition :
       pass.index.Find({"torch.nn.Linear", "torch.nn.functional.linear"})) {
    for (const Node* linear : partition.outputs) {
      if (!IsLinear(*linear)) {
        throw PipelineError("ValueError",
                            linear->name() + " is not an aten linear operator");
      }
      if (!pass.Skip({linear})) pass.AnnotateWeighted(*linear, true, "linear");
    }
  }
}

}  // namespace qconform
