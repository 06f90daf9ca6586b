#include "reference/match/no_tensor.h"

#include <vector>

#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

constexpr const char* kGetItem = "operator.getitem";
constexpr const char* kGetAttr = "builtins.getattr";

// What a node says by itself, or through which nodes it must be decided.
struct Step {
  bool decided = false;
  bool no_tensors = true;
  std::vector<const Node*> inputs;  // all must hold no tensors
};

// Lists are searched for nodes, integers are fine; any other literal counts as a
// tensor.
void AddArgument(const Argument& argument, Step& step) {
  if (const Sequence* sequence = argument.As<Sequence>()) {
    if (!sequence->is_tuple) {
      for (const Argument& item : sequence->items) {
        if (const Node* node = item.AsNode()) step.inputs.push_back(node);
      }
      return;
    }
  }
  if (const Node* node = argument.AsNode()) {
    step.inputs.push_back(node);
  } else if (argument.As<int64_t>() == nullptr && argument.As<bool>() == nullptr) {
    step.decided = true;
    step.no_tensors = false;
  }
}

}  // namespace

bool NoTensorRule::HasNoTensors(const Argument& argument) {
  const Node* start = argument.AsNode();
  if (start == nullptr) return true;

  const auto first_argument = [](const Node& node, Step& step) {
    if (node.args().empty()) return;
    if (const Node* input = node.args()[0].AsNode()) step.inputs.push_back(input);
  };
  const auto look = [&](const Node& node) {
    Step step;
    switch (node.op()) {
      case Op::kPlaceholder:
      case Op::kGetAttr:
        return Step{true, false, {}};
      case Op::kCallModule: {
        const std::shared_ptr<Module> module = module_.FindModule(node.target());
        if (module == nullptr || !IsObserverClass(module->type)) {
          return Step{true, false, {}};
        }
        first_argument(node, step);
        return step;
      }
      case Op::kCallFunction:
        if (node.target() == kGetItem) {
          first_argument(node, step);
          return step;
        }
        if (node.target() == kGetAttr && node.args().size() > 1) {
          const std::string* name = node.args()[1].As<std::string>();
          if (name != nullptr && (*name == "ndim" || *name == "shape")) {
            return Step{true, true, {}};
          }
        }
        break;
      case Op::kCallMethod:
        if (node.target() == "size") return Step{true, true, {}};
        break;
      case Op::kOutput:
        break;
    }
    // Keyword arguments never count, but a call without any other has a tensor.
    if (node.args().empty()) return Step{true, false, {}};
    for (const Argument& item : node.args()) AddArgument(item, step);
    return step;
  };

  // Depth first with a stack of its own: graphs may be deep.
  std::vector<const Node*> stack = {start};
  while (!stack.empty()) {
    const Node* node = stack.back();
    if (known_.count(node) > 0) {
      stack.pop_back();
      continue;
    }
    const Step step = look(*node);
    bool waiting = false;
    bool no_tensors = step.no_tensors;
    if (!step.decided) {
      for (const Node* input : step.inputs) {
        auto found = known_.find(input);
        if (found == known_.end()) {
          stack.push_back(input);
          waiting = true;
        } else {
          no_tensors = no_tensors && found->second;
        }
      }
    }
    if (waiting) continue;
    known_.emplace(node, no_tensors);
    stack.pop_back();
  }
  return known_.at(start);
}

}  // namespace qconform
