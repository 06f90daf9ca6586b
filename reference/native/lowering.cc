#include "reference/native/lowering.h"

#include "reference/ir/error.h"

namespace qconform {

CalledModules::CalledModules(const GraphModule& module) {
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    modules_.emplace(node.target(), module.FindModule(node.target()));
  }
}

const Module* CalledModules::Find(const Node* node) const {
  if (node->op() != Op::kCallModule) return nullptr;
  const auto found = modules_.find(node->target());
  return found == modules_.end() ? nullptr : found->second.get();
}

const std::string& CalledModules::TypeOf(const Node* node) const {
  static const std::string none;
  const Module* module = Find(node);
  return module == nullptr ? none : module->type;
}

bool IsDequantize(const Argument& argument) {
  const Node* node = argument.AsNode();
  return node != nullptr && node->op() == Op::kCallMethod &&
         node->target() == "dequantize";
}

Node* NodeArgument(const Node& node, size_t index) {
  if (index >= node.args().size()) {
    throw PipelineError("IndexError", "tuple index out of range: argument " +
                                          std::to_string(index) + " of " + node.name());
  }
  Node* argument = node.args()[index].AsNode();
  if (argument == nullptr) {
    throw PipelineError("AssertionError", "Expected argument " + std::to_string(index) +
                                              " of " + node.name() + " to be a Node");
  }
  return argument;
}

OutputQparams QparamsOf(const GraphModule& module, const Node& quantize) {
  const Tensor* tensors[2];
  for (size_t i : {0, 1}) {
    const Node* node = NodeArgument(quantize, i + 1);
    tensors[i] = module.FindTensor(node->target());
    if (tensors[i] == nullptr || tensors[i]->numel() != 1) {
      throw PipelineError("AttributeError", "no scalar attribute " + node->target());
    }
  }
  return {*tensors[0], *tensors[1]};
}

void EraseNode(Graph& graph, Node* node) {
  if (!node->users().empty()) {
    throw PipelineError("RuntimeError",
                        "Tried to erase Node " + node->name() + " but it still had " +
                            std::to_string(node->users().size()) + " users in the graph");
  }
  graph.Erase(node);
}

}  // namespace qconform
