#include "reference/observe/dropout_off.h"

#include <optional>
#include <vector>

#include "reference/ir/graph_state.h"

namespace qconform {
namespace {

bool IsRandomInTraining(const std::string& type) {
  return type.starts_with("torch.nn.Dropout") || type == "torch.nn.AlphaDropout" ||
         type == "torch.nn.FeatureAlphaDropout" || type == "torch.nn.RNN" ||
         type == "torch.nn.LSTM" || type == "torch.nn.GRU";
}

// Where a function that is random in training takes `training`.
std::optional<size_t> TrainingArgument(const std::string& function) {
  if (function == "torchvision.ops.stochastic_depth.stochastic_depth") return 3;
  for (const char* name : {"dropout", "dropout1d", "dropout2d", "dropout3d",
                           "alpha_dropout", "feature_alpha_dropout"}) {
    if (function == std::string("torch.nn.functional.") + name) return 2;
  }
  return std::nullopt;
}

void SwitchFunctionsOff(Graph& graph) {
  for (Node& node : graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    const std::optional<size_t> position = TrainingArgument(node.target());
    if (!position) continue;
    if (node.args().size() > *position) {
      node.set_arg(*position, Argument(false));
    } else {
      OrderedMap<Argument> keywords = node.kwargs();
      keywords.Set("training", Argument(false));
      node.set_kwargs(std::move(keywords));
    }
  }
}

}  // namespace

void SwitchDropoutOff(GraphModule& module) {
  SwitchFunctionsOff(module.graph);
  std::vector<Module*> open = {module.root.get()};
  while (!open.empty()) {
    Module* next = open.back();
    open.pop_back();
    if (IsRandomInTraining(next->type)) next->training = false;
    if (GraphModule* inner = SubgraphOf(*next)) {
      SwitchFunctionsOff(inner->graph);
      open.push_back(inner->root.get());
    }
    for (const auto& [name, child] : next->children) {
      if (child) open.push_back(child.get());
    }
  }
}

}  // namespace qconform
