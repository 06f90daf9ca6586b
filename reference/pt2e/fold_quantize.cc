#include "reference/pt2e/fold_quantize.h"

#include <unordered_set>

#include "reference/ops/interpreter.h"
#include "reference/pt2e/aten_nodes.h"
#include "reference/pt2e/live_nodes.h"

namespace qconform {
namespace {

class Constants {
 public:
  explicit Constants(ExportedProgram& program)
      : program_(program), module_(program.module), interpreter_(module_) {}

  void Run() {
    FindConstants();
    Evaluate();
    for (Node& node : module_.graph.nodes()) {
      if (folded_.count(&node) > 0) StoreFrozen(node);
    }
    if (!frozen_.empty()) Rebuild();
    EraseUnread();
    EliminateDeadNodes(program_);
  }

 private:
  // What an operator writes to, and what that is made of. (_find_mutable_buffers)
  void FindWritten() {
    for (Node& node : module_.graph.nodes()) {
      const std::string& target = node.target();
      if (node.op() != Op::kCallFunction || !target.starts_with("aten.") ||
          (target.find("copy_") == std::string::npos &&
           target.find("put_") == std::string::npos)) {
        continue;
      }
      Node* destination = ArgumentAt(node, 0).AsNode();
      if (destination == nullptr) continue;
      std::vector<const Node*> frontier = {destination};
      while (!frontier.empty()) {
        const Node* next = frontier.back();
        frontier.pop_back();
        if (!written_.insert(next).second) continue;
        for (const Node* input : next->InputNodes()) frontier.push_back(input);
      }
    }
  }

  void FindConstants() {
    FindWritten();
    for (const Node& node : module_.graph.nodes()) {
      if (node.op() == Op::kGetAttr) {
        if (module_.FindTensor(node.target()) != nullptr) constants_.insert(&node);
      } else if (IsConstantCall(node)) {
        constants_.insert(&node);
        if (IsDecomposedQuantize(node)) folded_.insert(&node);
      }
    }
  }

  bool IsConstantCall(const Node& node) const {
    if (node.op() != Op::kCallFunction || IsDecomposedDequantize(node) ||
        IsImpure(node) ||
        IsCall(node, "quantized_decomposed.convert_element_type.no_fuse")) {
      return false;
    }
    const std::vector<Node*> inputs = node.InputNodes();
    for (const Node* input : inputs) {
      if (constants_.count(input) == 0 || written_.count(input) > 0) return false;
    }
    return !inputs.empty();
  }

  // Only what quantize nodes need.
  void Evaluate() {
    std::unordered_set<const Node*> needed;
    std::vector<const Node*> frontier(folded_.begin(), folded_.end());
    while (!frontier.empty()) {
      const Node* next = frontier.back();
      frontier.pop_back();
      if (!needed.insert(next).second) continue;
      for (const Node* input : next->InputNodes()) frontier.push_back(input);
    }
    for (const Node& node : module_.graph.nodes()) {
      if (needed.count(&node) > 0) values_[&node] = interpreter_.Evaluate(node, values_);
    }
  }

  void StoreFrozen(const Node& node) {
    std::string name;
    do {
      name = "_frozen_param" + std::to_string(next_++);
    } while (module_.root->FindTensor(name) != nullptr ||
             module_.root->children.Contains(name));
    module_.SetBuffer(name, *values_.at(&node).As<Tensor>());
    frozen_[&node] = name;
  }

  // A copy of the graph with the readers of the frozen constants, which keep the names of
  // their quantize nodes.
  void Rebuild() {
    Graph graph;
    std::unordered_map<const Node*, Node*> copies;
    const auto copied = [&](Node* node) { return copies.at(node); };
    for (const Node& node : module_.graph.nodes()) {
      const auto frozen = frozen_.find(&node);
      if (frozen != frozen_.end()) {
        copies[&node] = graph.Append(Op::kGetAttr, frozen->second, {}, {}, node.name());
        continue;
      }
      std::vector<Argument> args = node.args();
      OrderedMap<Argument> kwargs = node.kwargs();
      for (Argument& argument : args) MapNodes(argument, copied);
      for (auto& [name, argument] : kwargs) MapNodes(argument, copied);
      Node* copy = graph.Append(node.op(), node.target(), std::move(args),
                                std::move(kwargs), node.name());
      copy->meta() = node.meta();
      copies[&node] = copy;
    }
    module_.graph = std::move(graph);
  }

  void EraseUnread() {
    for (Node* node : module_.graph.NodePointers()) {
      if (node->op() != Op::kGetAttr || !node->users().empty()) continue;
      // Only what stands on the root itself goes from the modules.
      if (node->target().find('.') == std::string::npos) {
        module_.root->buffers.Erase(node->target());
        module_.root->parameters.Erase(node->target());
      }
      module_.graph.Erase(node);
    }
  }

  ExportedProgram& program_;
  GraphModule& module_;
  Interpreter interpreter_;
  std::unordered_set<const Node*> written_;
  std::unordered_set<const Node*> constants_;
  std::unordered_set<const Node*> folded_;
  std::unordered_map<const Node*, Value> values_;
  std::unordered_map<const Node*, std::string> frozen_;
  int next_ = 0;
};

}  // namespace

void FoldQuantize(ExportedProgram& program) { Constants(program).Run(); }

}  // namespace qconform
