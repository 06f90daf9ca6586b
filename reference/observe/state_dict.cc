#include "reference/observe/state_dict.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/observe/observer_module.h"
#include "reference/ops/elements.h"

namespace qconform {
namespace {

// Calls visit(prefix, module) for every module of the tree, parents first; the prefix
// of the root is empty, of others their path with a dot behind.
template <typename Visit>
void ForEachModule(const std::shared_ptr<Module>& root, const Visit& visit) {
  struct Position {
    std::string prefix;
    std::shared_ptr<Module> module;
  };
  std::vector<Position> open = {{"", root}};
  while (!open.empty()) {
    const Position position = std::move(open.back());
    open.pop_back();
    visit(position.prefix, position.module);
    const size_t first = open.size();
    for (const auto& [name, child] : position.module->children) {
      if (child) open.push_back({position.prefix + name + ".", TreeOf(child)});
    }
    // The first child is to be the next.
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

// Takes keys out of a state, and remembers which were asked for in vain.
class StateReader {
 public:
  StateReader(const OrderedMap<Tensor>& state, const std::string& where)
      : state_(state), where_(where) {}

  // The place of a key in errors.
  std::string Where(const std::string& key) const { return where_ + ": " + key; }

  const Tensor* Take(const std::string& key) {
    const Tensor* value = state_.Find(key);
    if (value == nullptr) {
      unmatched_.missing.push_back(key);
    } else {
      taken_.Set(key, true);
    }
    return value;
  }

  UnmatchedKeys Finish() {
    for (const auto& [key, value] : state_) {
      if (!taken_.Contains(key)) unmatched_.unexpected.push_back(key);
    }
    return std::move(unmatched_);
  }

 private:
  const OrderedMap<Tensor>& state_;
  const std::string& where_;
  OrderedMap<bool> taken_;
  UnmatchedKeys unmatched_;
};

void LoadTensors(const std::string& prefix, OrderedMap<std::optional<Tensor>>& tensors,
                 StateReader& reader) {
  for (auto& [name, tensor] : tensors) {
    if (!tensor) continue;
    const Tensor* value = reader.Take(prefix + name);
    if (value == nullptr) continue;
    if (value->shape() != tensor->shape()) {
      throw InputError(reader.Where(prefix + name), "shape " + ShapeText(value->shape()),
                       ShapeText(tensor->shape()));
    }
    // A copy: the tensor's storage may belong to the float model as well.
    tensor = Cast(*value, tensor->dtype()).Clone();
  }
}

void LoadObserver(const std::string& prefix, Observer& observer, StateReader& reader) {
  for (const auto& [name, present] : observer.Buffers()) {
    const Tensor* value = reader.Take(prefix + name);
    if (value == nullptr) continue;
    try {
      observer.SetBuffer(name, *value);
    } catch (const InputError& error) {
      throw InputError(reader.Where(prefix + error.what()), "the value does not fit");
    }
  }
}

}  // namespace

OrderedMap<Tensor> StateDict(const GraphModule& module) {
  OrderedMap<Tensor> state;
  ForEachModule(module.root,
                [&](const std::string& prefix, const std::shared_ptr<Module>& part) {
                  for (const auto* tensors : {&part->parameters, &part->buffers}) {
                    for (const auto& [name, tensor] : *tensors) {
                      if (tensor) state.Set(prefix + name, *tensor);
                    }
                  }
                  const std::shared_ptr<Observer> observer = ObserverOf(part);
                  if (!observer) return;
                  for (const auto& [name, tensor] : observer->Buffers()) {
                    state.Set(prefix + name, tensor);
                  }
                });
  return state;
}

UnmatchedKeys LoadStateDict(GraphModule& module, const OrderedMap<Tensor>& state,
                            bool strict, const std::string& where) {
  StateReader reader(state, where);
  ForEachModule(module.root,
                [&](const std::string& prefix, const std::shared_ptr<Module>& part) {
                  LoadTensors(prefix, part->parameters, reader);
                  LoadTensors(prefix, part->buffers, reader);
                  const std::shared_ptr<Observer> observer = ObserverOf(part);
                  if (observer) LoadObserver(prefix, *observer, reader);
                });
  UnmatchedKeys unmatched = reader.Finish();
  if (strict && !unmatched.missing.empty()) {
    throw InputError(where, "no " + unmatched.missing.front(), "every key of the module");
  }
  if (strict && !unmatched.unexpected.empty()) {
    throw InputError(where, "unknown key " + unmatched.unexpected.front(),
                     "only keys of the module");
  }
  return unmatched;
}

}  // namespace qconform
