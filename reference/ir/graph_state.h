// A module that has a graph of its own: a torch.fx.GraphModule that another calls.
#ifndef QCONFORM_REFERENCE_IR_GRAPH_STATE_H_
#define QCONFORM_REFERENCE_IR_GRAPH_STATE_H_

#include <memory>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

// The graph and the tree that its paths start from. The module that holds it has no
// children or tensors of its own.
class GraphState : public ModuleState {
 public:
  virtual GraphModule& graph_module() = 0;
};

class OwnedGraph : public GraphState {
 public:
  explicit OwnedGraph(GraphModule module) : module_(std::move(module)) {}
  GraphModule& graph_module() override { return module_; }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<OwnedGraph>(module_.Clone());
  }

 private:
  GraphModule module_;
};

// nullptr if the module has no graph.
GraphModule* SubgraphOf(const Module& module);

// Where the module's children and tensors hang: the root of its graph, else itself.
std::shared_ptr<Module> TreeOf(const std::shared_ptr<Module>& module);

// The type of a module whose class is its graph alone.
inline constexpr const char* kGraphModuleType = "torch.fx.GraphModule";

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_GRAPH_STATE_H_
