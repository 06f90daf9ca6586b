#include "reference/explain/observer_table.h"

#include <fmt/format.h>

#include <unordered_set>

#include "reference/observe/observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/share_observers.h"

namespace qconform {
namespace {

void Describe(const Observer& observer, ObserverUse& use) {
  use.class_name = observer.class_name;
  use.dtype = DTypeName(observer.dtype);
  use.qscheme = QSchemeName(observer.qscheme);
  const Observer* inner = &observer;
  const std::shared_ptr<Observer> wrapped = observer.ActivationPostProcess();
  if (wrapped != nullptr) {
    use.class_name += "(" + wrapped->class_name + ")";
    inner = wrapped.get();
  }
  if (inner->quant_min && inner->quant_max) {
    use.range = fmt::format("[{}, {}]", *inner->quant_min, *inner->quant_max);
  }
}

}  // namespace

ObserverTable::ObserverTable(const Prepared& prepared) : prepared_(prepared) {
  std::unordered_set<std::string> seen;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (!IsObserverNode(prepared.module, &node) || !seen.insert(node.target()).second) {
      continue;
    }
    const Module* module = prepared.module.FindModule(node.target()).get();
    std::vector<std::string>& group = groups_[module];
    if (group.empty()) firsts_[node.target()] = module;
    group.push_back(node.target());
  }
}

const std::vector<std::string>& ObserverTable::SharedBy(const std::string& first) const {
  static const std::vector<std::string> none;
  const auto found = firsts_.find(first);
  return found == firsts_.end() ? none : groups_.at(found->second);
}

ObserverUse ObserverTable::Use(const char* role, const Node& observer) const {
  const std::shared_ptr<Module> module = prepared_.module.FindModule(observer.target());
  ObserverUse use;
  use.role = role;
  use.name = observer.target();
  if (!observer.args().empty() && observer.args()[0].AsNode() != nullptr) {
    use.observes = observer.args()[0].AsNode()->name();
  }
  Describe(*ObserverOf(module), use);
  const std::vector<std::string>& group = groups_.at(module.get());
  use.shared_by = group.size();
  use.first = group.front();
  return use;
}

std::vector<ObserverUse> ObserverTable::Of(const std::string& name) const {
  const Node* node = prepared_.module.graph.Find(name);
  if (node == nullptr) return {};
  std::vector<ObserverUse> uses;
  for (const Node* input : node->InputNodes()) {
    if (IsObserverNode(prepared_.module, input)) uses.push_back(Use("input", *input));
  }
  if (node->op() == Op::kCallModule) {
    // A QAT module holds the fake-quantizer of its weight.
    const std::shared_ptr<Module> module = prepared_.module.FindModule(node->target());
    const std::shared_ptr<Module>* weight =
        module == nullptr ? nullptr : module->children.Find("weight_fake_quant");
    if (weight != nullptr && ObserverOf(*weight) != nullptr) {
      ObserverUse use;
      use.role = "weight";
      use.name = node->target() + ".weight_fake_quant";
      Describe(*ObserverOf(*weight), use);
      use.first = use.name;
      uses.push_back(std::move(use));
    }
  }
  for (const Node* user : node->users()) {
    if (IsObserverNode(prepared_.module, user)) uses.push_back(Use("output", *user));
  }
  return uses;
}

}  // namespace qconform
