#include "reference/convert/weight_observers.h"

#include "reference/convert/producer_graph.h"
#include "reference/observe/calibrate.h"

namespace qconform {

void RunWeightObservers(GraphModule& module,
                        const std::unordered_map<std::string, NodeTarget>& targets) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallFunction) continue;
    const auto target = targets.find(node.name());
    if (target == targets.end()) continue;
    for (const Argument& argument : node.args()) {
      const Node* weight = argument.AsNode();
      if (weight == nullptr || !IsWeightArgument(node, target->second, weight)) continue;
      const std::vector<const Node*> producers = ProducersOf(weight);
      if (producers.empty()) continue;
      GraphModule part = GraphOfProducers(module, producers);
      RunObserved(part, {});
    }
  }
}

}  // namespace qconform
