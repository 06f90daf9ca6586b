#include "reference/observe/inserted_observers.h"

#include "reference/ir/error.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/share_observers.h"

namespace qconform {

std::shared_ptr<Module> InsertedObservers::Make(const ObserverConstructor& constructor) {
  std::shared_ptr<Module>& first = first_[&constructor];
  if (!first) first = MakeObserverModule(constructor, inputs_.is_qat, inputs_.mode);
  return first->Clone();
}

Node* InsertedObservers::Insert(Node* value, const ObserverConstructor& constructor) {
  std::string name;
  do {
    name = "activation_post_process_" + std::to_string(next_index_++);
  } while (module_.FindModule(name) || module_.FindTensor(name) != nullptr);
  const std::shared_ptr<Module> observer = Make(constructor);
  module_.SetModule(name, observer);
  names_of_[observer.get()] = {name};
  Node* node = module_.graph.InsertAfter(value, Op::kCallModule, name, {value});
  observers_of_[value].push_back({node, &constructor});
  return node;
}

Node* InsertedObservers::Find(const Node* value, const ObserverConstructor& wanted) {
  const auto found = observers_of_.find(value);
  if (found == observers_of_.end()) return nullptr;
  const std::optional<DType> dtype = inputs_.settings.DTypeOf(&wanted);
  for (const Inserted& inserted : found->second) {
    const auto observer = ObserverOf(module_.FindModule(inserted.node->target()));
    if (observer->class_name != wanted.class_name || observer->dtype != dtype) continue;
    if (*inserted.constructor == wanted) return inserted.node;
    inputs_.Report("observer_reused", value->name(),
                   "lets " + ToText(wanted) + " be replaced by " +
                       ToText(*inserted.constructor) + ", of the same class and dtype",
                   "gives each its own");
    if (inputs_.mode == Mode::kTorch) return inserted.node;
  }
  return nullptr;
}

void InsertedObservers::Rebind(const std::string& name,
                               const std::shared_ptr<Module>& shared) {
  const std::shared_ptr<Module> old = module_.FindModule(name);
  if (old == shared) return;
  std::vector<std::string>& names = names_of_[shared.get()];
  std::vector<std::string>& old_names = names_of_[old.get()];
  if (old_names.size() > 1) {
    inputs_.Report("sharing_broken", name,
                   "gives it another observer, which " +
                       std::to_string(old_names.size() - 1) +
                       " that shared it do not get",
                   "gives it to all of them");
  }
  if (inputs_.mode == Mode::kTorch) {
    module_.SetModule(name, shared);
    names.push_back(name);
    std::erase(old_names, name);
    return;
  }
  for (std::string& each : old_names) {
    module_.SetModule(each, shared);
    names.push_back(std::move(each));
  }
  names_of_.erase(old.get());
}

void InsertedObservers::RemoveBehind(Node& node) {
  const std::vector<Node*> users = node.users();
  for (Node* user : users) {
    if (!IsObserverNode(module_, user)) {
      throw PipelineError("AssertionError", "a user of " + node.name() +
                                                " is no observer: " + user->name());
    }
    module_.graph.ReplaceAllUses(user, &node);
    observers_of_.erase(user);
    std::erase_if(observers_of_[&node],
                  [&](const Inserted& inserted) { return inserted.node == user; });
    module_.graph.Erase(user);
  }
}

}  // namespace qconform
