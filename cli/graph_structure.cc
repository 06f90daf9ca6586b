#include "cli/graph_structure.h"

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "reference/formats/graph_json.h"
#include "reference/formats/made_graph.h"
#include "reference/ir/graph_state.h"

namespace qconform {
GraphStructure ReadGraphStructure(const std::filesystem::path& path) {
  if (LacksTensors(path)) return {ReadGraphShapes(path), true};
  return {ReadGraphFile(path), false};
}

void DropTensorValues(GraphModule& module) {
  std::vector<std::shared_ptr<Module>> open = {module.root};
  std::unordered_set<const Module*> seen;
  while (!open.empty()) {
    const std::shared_ptr<Module> next = TreeOf(open.back());
    open.pop_back();
    if (!seen.insert(next.get()).second) continue;
    for (auto* tensors : {&next->parameters, &next->buffers}) {
      for (auto& [name, tensor] : *tensors) {
        if (tensor) tensor = Tensor(tensor->dtype(), tensor->shape());
      }
    }
    for (const auto& [name, child] : next->children) open.push_back(child);
  }
}

}  // namespace qconform
