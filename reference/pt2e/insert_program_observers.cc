#include "reference/pt2e/insert_program_observers.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"
#include "reference/pt2e/live_nodes.h"
#include "reference/pt2e/long_readers.h"

namespace qconform {
namespace {

class ProgramInsertion {
 public:
  ProgramInsertion(ExportedProgram& program, const Annotations& annotations,
                   const ObserverMap& observers)
      : program_(program),
        module_(program.module),
        annotations_(annotations),
        observers_(observers) {}

  void Run() {
    // Insertion changes the list; nodes that it adds are not visited.
    const std::vector<Node*> nodes = module_.graph.NodePointers();
    for (Node* node : nodes) {
      if (annotations_.Find(*node) == nullptr) continue;
      RedirectInputs(*node);
      ObserveInputs(*node);
      if (program_.IsTensor(*node)) ObserveOutput(*node);
    }
    for (Node* node : nodes) RedirectInputs(*node);
  }

 private:
  // The observer that a node calls; nullptr for another node.
  const Module* ObserverAt(const Node* node) {
    if (node->op() != Op::kCallModule) return nullptr;
    const auto [known, added] = called_.try_emplace(node, nullptr);
    if (added) {
      const std::shared_ptr<Module> module = module_.FindModule(node->target());
      if (ObserverOf(module) != nullptr) known->second = module.get();
    }
    return known->second;
  }

  void ObserveInputs(Node& node) {
    std::vector<Argument> args;
    for (const Argument& argument : node.args()) args.push_back(Observed(node, argument));
    for (const auto& [name, value] : node.kwargs()) {
      ForEachNode(value, [&, &key = name](Node* input) {
        throw PipelineError("AssertionError", "Kwarg '" + key + "' of '" + node.name() +
                                                  "' contained the node '" +
                                                  input->name() +
                                                  "', which is not supported for "
                                                  "annotation.");
      });
    }
    // Even unchanged ones are set again: the node becomes the last user of its inputs.
    node.set_args(std::move(args));
  }

  // (_maybe_insert_input_observer_for_arg_or_kwarg)
  Argument Observed(const Node& node, const Argument& argument) {
    if (const Sequence* sequence = argument.As<Sequence>()) {
      Sequence observed{{}, sequence->is_tuple};
      for (const Argument& item : sequence->items) {
        observed.items.push_back(Observed(node, item));
      }
      return observed;
    }
    Node* value = argument.AsNode();
    if (value == nullptr) return argument;
    const Node* original = value;
    while (ObserverAt(original) != nullptr) original = original->args()[0].AsNode();
    const std::shared_ptr<Module>* observer =
        observers_.Find(EdgeOrNode::Edge(*original, node));
    if (observer == nullptr || *observer == nullptr) return argument;
    if (IsWrittenBuffer(node, *original)) return argument;
    const std::shared_ptr<Module>* output =
        observers_.Find(EdgeOrNode::Output(*original));
    if (output != nullptr && *output == *observer) return argument;
    const auto there = inserted_.find({value, observer->get()});
    if (there != inserted_.end()) return there->second;
    return Insert(value, *observer);
  }

  // Whether an operator writes to a buffer there. (_is_mutable_buffer_arg)
  bool IsWrittenBuffer(const Node& node, const Node& value) {
    if (node.args().empty() || node.args()[0].AsNode() != &value ||
        !WritesFirstArgument(node)) {
      return false;
    }
    std::vector<const Node*> frontier = {&value};
    std::unordered_set<const Node*> seen;
    bool reads_buffer = false;
    while (!frontier.empty()) {
      const Node* producer = frontier.back();
      frontier.pop_back();
      if (!seen.insert(producer).second) continue;
      // The node itself may be an input; what it is made of may not.
      if (producer != &value && producer->op() == Op::kPlaceholder) return false;
      reads_buffer = reads_buffer || IsBuffer(*producer);
      for (const Argument& argument : producer->args()) {
        if (argument.AsNode() != nullptr) frontier.push_back(argument.AsNode());
      }
      for (const auto& [name, argument] : producer->kwargs()) {
        if (argument.AsNode() != nullptr) frontier.push_back(argument.AsNode());
      }
    }
    return reads_buffer;
  }

  bool IsBuffer(const Node& node) const {
    if (node.op() != Op::kGetAttr) return false;
    const auto [path, name] = SplitParent(node.target());
    const Module* owner = module_.ModuleAt(path);
    return owner != nullptr && owner->buffers.Contains(name);
  }

  void ObserveOutput(Node& node) {
    const std::shared_ptr<Module>* observer = observers_.Find(EdgeOrNode::Output(node));
    if (observer == nullptr || *observer == nullptr) return;
    Node* observed = Insert(&node, *observer);
    for (Node* user : std::vector<Node*>(node.users())) {
      if (user == observed) continue;
      // Rewritten once, not for each of its inputs.
      if (!user->args().empty() && IsLongList(user->args()[0])) {
        redirected_[user].emplace(&node, observed);
      } else {
        user->ReplaceInput(&node, observed);
      }
    }
  }

  // What was put off, at the latest when the node's own inputs are observed.
  void RedirectInputs(Node& node) {
    const auto found = redirected_.find(&node);
    if (found == redirected_.end()) return;
    std::vector<Argument> args = node.args();
    for (Argument& argument : args) {
      MapNodes(argument, [&](Node* input) {
        const auto observed = found->second.find(input);
        return observed == found->second.end() ? input : observed->second;
      });
    }
    redirected_.erase(found);
    node.set_args(std::move(args));
  }

  Node* Insert(Node* value, const std::shared_ptr<Module>& observer) {
    std::string name;
    do {
      name = "activation_post_process_" + std::to_string(next_++);
    } while (module_.root->children.Contains(name) ||
             module_.root->FindTensor(name) != nullptr);
    module_.root->children.Set(name, observer);
    Node* node = module_.graph.InsertAfter(value, Op::kCallModule, name, {value});
    called_[node] = observer.get();
    inserted_.emplace(std::pair(value, observer.get()), node);
    return node;
  }

  ExportedProgram& program_;
  GraphModule& module_;
  const Annotations& annotations_;
  const ObserverMap& observers_;
  int next_ = 0;
  std::unordered_map<const Node*, const Module*> called_;
  std::unordered_map<const Node*, std::unordered_map<const Node*, Node*>> redirected_;
  // What reads a value through an observer.
  std::map<std::pair<Node*, const Module*>, Node*> inserted_;
};

}  // namespace

void InsertProgramObservers(ExportedProgram& program, const Annotations& annotations,
                            const ObserverMap& observers) {
  ProgramInsertion(program, annotations, observers).Run();
}

}  // namespace qconform
