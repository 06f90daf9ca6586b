#include "reference/match/node_getter.h"

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

// onednn's (add, conv, *), (relu, (add, *, (bn, conv))), ...: adds each name with the
// path to its root and the path to its other addend.
template <typename Add>
void ForEachOnednnPattern(const Add& add_pattern) {
  for (const bool left : {true, false}) {
    for (const bool with_bn : {true, false}) {
      for (const bool with_relu : {true, false}) {
        const std::string name = std::string("conv") + (with_bn ? "_bn" : "") + "_add" +
                                 (with_relu ? "_relu" : "");
        std::vector<size_t> add;
        if (with_relu) add.push_back(1);
        std::vector<size_t> root = add;
        root.push_back(left ? 1 : 2);
        if (with_bn) root.push_back(1);
        std::vector<size_t> extra = add;
        extra.push_back(left ? 2 : 1);
        add_pattern(kOnednn + name, left ? "_left" : "_right", root, extra);
      }
    }
  }
}

}  // namespace

NameTable<RootNodeGetter>& RootNodeGetters() {
  static auto* const table = [] {
    auto* made = new NameTable<RootNodeGetter>("root_node_getter");
    ForEachOnednnPattern([&](const std::string& name, const char* side,
                             const std::vector<size_t>& root,
                             const std::vector<size_t>&) {
      made->Add(name + "_root_node_getter" + side, RootAt(root));
    });
    // (getitem, max_pool2d_with_indices, 0)
    made->Add(
        "torch.ao.quantization.backend_config._qnnpack_pt2e.get_pooling_configs."
        "<locals>.root_node_getter",
        RootAt({1}));
    return made;
  }();
  return *table;
}

NameTable<ExtraInputsGetter>& ExtraInputsGetters() {
  static auto* const table = [] {
    auto* made = new NameTable<ExtraInputsGetter>("extra_inputs_getter");
    ForEachOnednnPattern([&](const std::string& name, const char* side,
                             const std::vector<size_t>&,
                             const std::vector<size_t>& extra) {
      made->Add(name + "_extra_inputs_getter" + side, ExtraAt(extra));
    });
    return made;
  }();
  return *table;
}

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

RootNodeGetter FindRootNodeGetter(const std::string& name) {
  return name.empty() ? DefaultRootNode : RootNodeGetters().Get(name);
}

ExtraInputsGetter FindExtraInputsGetter(const std::string& name) {
  if (name.empty()) {
    return [](const NodePattern&) { return std::vector<Argument>(); };
  }
  return ExtraInputsGetters().Get(name);
}

}  // namespace qconform
