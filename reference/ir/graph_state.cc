#include "reference/ir/graph_state.h"

namespace qconform {

GraphModule* SubgraphOf(const Module& module) {
  auto* state = dynamic_cast<GraphState*>(module.state.get());
  return state == nullptr ? nullptr : &state->graph_module();
}

std::shared_ptr<Module> TreeOf(const std::shared_ptr<Module>& module) {
  const GraphModule* graph = module ? SubgraphOf(*module) : nullptr;
  return graph == nullptr ? module : graph->root;
}

}  // namespace qconform
