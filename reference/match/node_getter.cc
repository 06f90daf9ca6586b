#include "reference/match/node_getter.h"

#include <map>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kOnednn = "torch.ao.quantization.backend_config.onednn._";

// Element `path[0]` of the pattern, element `path[1]` of that, and so on.
const Argument& Follow(const NodePattern& pattern, const std::vector<size_t>& path) {
  const Argument* current = &pattern;
  for (size_t index : path) {
    const Sequence* sequence = current->As<Sequence>();
    if (sequence == nullptr) {
      throw PipelineError("TypeError", "cannot unpack a node of a matched pattern");
    }
    if (index >= sequence->items.size()) {
      throw PipelineError("ValueError",
                          "not enough values to unpack: a node of the "
                          "pattern belongs to another match");
    }
    current = &sequence->items[index];
  }
  return *current;
}

RootNodeGetter RootAt(std::vector<size_t> path) {
  return [path = std::move(path)](const NodePattern& pattern) {
    Node* node = Follow(pattern, path).AsNode();
    if (node == nullptr) {
      throw PipelineError("AttributeError", "the root of a pattern is not a node");
    }
    return node;
  };
}

ExtraInputsGetter ExtraAt(std::vector<size_t> path) {
  return [path = std::move(path)](const NodePattern& pattern) {
    return std::vector<Argument>{Follow(pattern, path)};
  };
}

struct Registry {
  std::map<std::string, RootNodeGetter> roots;
  std::map<std::string, ExtraInputsGetter> extras;

  // onednn's (add, conv, *), (relu, (add, *, (bn, conv))), ...
  Registry() {
    for (const bool left : {true, false}) {
      for (const bool with_bn : {true, false}) {
        for (const bool with_relu : {true, false}) {
          const std::string name = std::string("conv") + (with_bn ? "_bn" : "") + "_add" +
                                   (with_relu ? "_relu" : "");
          const std::string side = left ? "_left" : "_right";
          std::vector<size_t> add;
          if (with_relu) add.push_back(1);
          std::vector<size_t> root = add;
          root.push_back(left ? 1 : 2);
          if (with_bn) root.push_back(1);
          std::vector<size_t> extra = add;
          extra.push_back(left ? 2 : 1);
          roots[kOnednn + name + "_root_node_getter" + side] = RootAt(root);
          extras[kOnednn + name + "_extra_inputs_getter" + side] = ExtraAt(extra);
        }
      }
    }
    // (getitem, max_pool2d_with_indices, 0)
    roots
        ["torch.ao.quantization.backend_config._qnnpack_pt2e.get_pooling_configs."
         "<locals>.root_node_getter"] = RootAt({1});
  }
};

Registry& TheRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace

Node* DefaultRootNode(const NodePattern& pattern) {
  const Argument* current = &pattern;
  while (true) {
    if (Node* node = current->AsNode()) return node;
    const Sequence* sequence = current->As<Sequence>();
    if (sequence == nullptr || sequence->items.empty()) {
      throw PipelineError("TypeError", "the last part of a matched pattern is no node");
    }
    current = &sequence->items.back();
  }
}

void RegisterRootNodeGetter(const std::string& name, RootNodeGetter getter) {
  TheRegistry().roots[name] = std::move(getter);
}

void RegisterExtraInputsGetter(const std::string& name, ExtraInputsGetter getter) {
  TheRegistry().extras[name] = std::move(getter);
}

RootNodeGetter FindRootNodeGetter(const std::string& name) {
  if (name.empty()) return DefaultRootNode;
  auto found = TheRegistry().roots.find(name);
  if (found != TheRegistry().roots.end()) return found->second;
  throw InputError("root_node_getter '" + name + "'", "nobody registered it",
                   "a registered name");
}

ExtraInputsGetter FindExtraInputsGetter(const std::string& name) {
  if (name.empty()) {
    return [](const NodePattern&) { return std::vector<Argument>(); };
  }
  auto found = TheRegistry().extras.find(name);
  if (found != TheRegistry().extras.end()) return found->second;
  throw InputError("extra_inputs_getter '" + name + "'", "nobody registered it",
                   "a registered name");
}

}  // namespace qconform
