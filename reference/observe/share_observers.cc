#include "reference/observe/share_observers.h"

#include "reference/ir/error.h"
#include "reference/observe/observer.h"

namespace qconform {
namespace {

// The argument to follow back: the first that is a node, else the last one.
const Node* FirstNodeArgument(const Node& node) {
  for (const Argument& argument : node.args()) {
    if (const Node* input = argument.AsNode()) return input;
  }
  return nullptr;
}

// torch gives up after as many steps.
constexpr int kLongestWalk = 10000;

[[noreturn]] void WalkedTooFar() {
  throw PipelineError("AssertionError", "Unable to find observer of previous node");
}

}  // namespace

bool IsObserverNode(const GraphModule& module, const Node* node) {
  if (node == nullptr || node->op() != Op::kCallModule) return false;
  const Module* target = module.ModuleAt(node->target());
  return target != nullptr && target->state != nullptr &&
         dynamic_cast<const Observer*>(target->state.get()) != nullptr;
}

bool ShareObservers(GraphModule& module, const Node& node, const RebindObserver& rebind) {
  const Argument* first = nullptr;
  for (const Argument& argument : node.args()) {
    if (argument.AsNode() != nullptr || argument.As<Sequence>() != nullptr) {
      first = &argument;
      break;
    }
  }
  if (first == nullptr) return false;
  const Sequence* inputs = first->As<Sequence>();
  if (inputs != nullptr && inputs->items.empty()) {
    throw PipelineError("IndexError", "list index out of range");
  }
  const Node* observer = inputs != nullptr ? inputs->items[0].AsNode() : first->AsNode();
  for (int steps = 0; !IsObserverNode(module, observer);) {
    if (observer == nullptr || observer->op() == Op::kPlaceholder) return false;
    observer = FirstNodeArgument(*observer);
    if (++steps > kLongestWalk) WalkedTooFar();
  }
  const std::shared_ptr<Module> shared = module.FindModule(observer->target());

  if (inputs != nullptr) {
    for (size_t i = 1; i < inputs->items.size(); ++i) {
      const Node* input = inputs->items[i].AsNode();
      for (int steps = 0; !IsObserverNode(module, input);) {
        if (input == nullptr) {
          throw PipelineError("AttributeError",
                              "an input of " + node.name() + " leads to no node");
        }
        if (input->args().empty()) return false;
        input = input->args()[0].AsNode();
        if (++steps > kLongestWalk) WalkedTooFar();
      }
      rebind(input->target(), shared);
    }
  }
  for (const Node* user : node.users()) {
    if (!IsObserverNode(module, user)) {
      throw PipelineError("AssertionError", "a user of " + node.name() +
                                                " is no observer: " + user->name());
    }
    rebind(user->target(), shared);
  }
  return true;
}

}  // namespace qconform
