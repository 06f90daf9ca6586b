#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "reference/convert/quantize_nodes.h"
#include "reference/explain/nearest.h"
#include "reference/explain/unused.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/custom_module.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/standalone_module.h"

namespace qconform {
namespace {

constexpr const char* kObservedClass = "float_to_observed_custom_module_class";
constexpr const char* kQuantizedClass = "observed_to_quantized_custom_module_class";

const char* TypeName(QuantType type) {
  switch (type) {
    case QuantType::kDynamic:
      return "dynamic";
    case QuantType::kStatic:
      return "static";
    case QuantType::kWeightOnly:
      return "weight_only";
  }
  return "";
}

// Collects the findings on one custom config.
class Findings {
 public:
  void Add(const std::string& key, const std::string& value, std::string why) {
    unused_.push_back({"custom setting", key + " " + value, std::move(why), false, ""});
  }

  // `missing` says of what the names are none.
  void Preserved(const std::vector<std::string>& names, const Module& root,
                 const char* missing) {
    NearestNames known;
    const auto add = [&known](const auto& map) {
      for (const auto& [name, value] : map) known.Insert(name);
    };
    add(root.children);
    add(root.parameters);
    add(root.buffers);
    add(root.attributes);
    for (const std::string& name : names) {
      if (known.Contains(name)) continue;
      Add("preserved_attributes", name, missing + known.Hint(name));
    }
  }

  std::vector<UnusedSetting> Take() { return std::move(unused_); }

 private:
  std::vector<UnusedSetting> unused_;
};

class CustomSettings {
 public:
  explicit CustomSettings(const ExplainedStage& stage)
      : float_module_(stage.float_module),
        prepared_(stage.prepared),
        config_(stage.prepared.options.custom_config) {
    for (const NodeReason& reason : stage.reasons) reasons_[reason.node] = &reason;
    for (const Node& node : float_module_.graph.nodes()) {
      if (node.op() == Op::kPlaceholder) inputs_.push_back(&node);
      if (node.op() != Op::kCallModule) continue;
      names_.Insert(node.target());
      if (const auto module = float_module_.FindModule(node.target())) {
        types_.Insert(module->type);
      }
    }
  }

  std::vector<UnusedSetting> Find() {
    for (const auto& [name, settings] : config_.standalone_module_names) {
      Name("standalone_module_name", name);
    }
    for (const auto& [type, settings] : config_.standalone_module_classes) {
      Type("standalone_module_class", type);
    }
    ObservedClasses(config_.static_observed_classes, QuantType::kStatic);
    ObservedClasses(config_.dynamic_observed_classes, QuantType::kDynamic);
    ObservedClasses(config_.weight_only_observed_classes, QuantType::kWeightOnly);
    for (const std::string& name : config_.non_traceable_module_names) {
      Name("non_traceable_module_name", name);
    }
    for (const std::string& type : config_.non_traceable_module_classes) {
      Type("non_traceable_module_class", type);
    }
    Inputs();
    Outputs();
    findings_.Preserved(config_.preserved_attributes, *float_module_.root,
                        "the model's root has no attribute of this name");
    return findings_.Take();
  }

 private:
  void Name(const char* key, const std::string& name) {
    if (names_.Contains(name)) return;
    findings_.Add(
        key, name,
        (float_module_.FindModule(name) != nullptr
             ? "the graph never calls this module (it was traced into, or is not used)"
             : "no module has this name") +
            names_.Hint(name));
  }

  bool Type(const char* key, const std::string& type) {
    if (types_.Contains(type)) return true;
    findings_.Add(key, type,
                  "the graph calls no module of this class" + types_.Hint(type));
    return false;
  }

  // Used where a module was swapped under a qconfig of this type.
  void ObservedClasses(const OrderedMap<std::string>& classes, QuantType wanted) {
    for (const auto& [type, observed] : classes) {
      if (!Type(kObservedClass, type)) continue;
      std::string why;
      bool used = false;
      for (const auto& [name, match] : prepared_.matches) {
        if (!match->is_custom_module || used) continue;
        const std::string& target = match->root->target();
        if (float_module_.FindModule(target)->type != type) continue;
        const NodeReason* reason = reasons_.at(name);
        if (reason->qconfig == nullptr ||
            prepared_.module.FindModule(target)->type == type) {
          if (why.empty()) why = name + ": " + reason->text;
          continue;
        }
        const QuantType is = QuantTypeOf(*reason->qconfig);
        used = is == wanted;
        if (why.empty()) {
          why = fmt::format("{} has a {} qconfig, and this is for {} ones", name,
                            TypeName(is), TypeName(wanted));
        }
      }
      if (!used) findings_.Add(kObservedClass, type, why);
    }
  }

  static std::string CountText(size_t count, const char* what) {
    return fmt::format("the graph has {} {}{}, counted from 0", count, what,
                       count == 1 ? "" : "s");
  }

  void Inputs() {
    const char* key = "input_quantized_idxs";
    const auto count = static_cast<int64_t>(inputs_.size());
    for (const int64_t index : config_.input_quantized_indexes) {
      const std::string text = std::to_string(index);
      if (index < 0 || index >= count) {
        findings_.Add(key, text, CountText(inputs_.size(), "input"));
      } else if (inputs_[static_cast<size_t>(index)]->users().empty()) {
        findings_.Add(key, text,
                      "no node reads " + inputs_[static_cast<size_t>(index)]->name());
      }
    }
  }

  // As convert reads them: elements of a returned tuple or list, from its end if they are
  // negative; otherwise the one value.
  void Outputs() {
    const char* key = "output_quantized_idxs";
    const Node* output = nullptr;
    for (const Node& node : prepared_.module.graph.nodes()) {
      if (node.op() == Op::kOutput) output = &node;
    }
    if (output == nullptr || output->args().empty()) return;
    const Argument& result = output->args()[0];
    const Sequence* sequence = result.As<Sequence>();
    const size_t size = sequence == nullptr ? 1 : sequence->items.size();
    const auto count = static_cast<int64_t>(size);
    for (const int64_t index : config_.output_quantized_indexes) {
      const int64_t position = index < 0 && sequence != nullptr ? index + count : index;
      if (position < 0 || position >= count) {
        findings_.Add(key, std::to_string(index), CountText(size, "output"));
        continue;
      }
      const Argument& value =
          sequence == nullptr ? result : sequence->items[static_cast<size_t>(position)];
      bool quantized = false;
      std::string why = "it is no value of the graph";
      ForEachNode(value, [&](const Node* node) {
        quantized = quantized || IsQuantized(*node);
        const auto reason = reasons_.find(node->name());
        why = fmt::format("{} is not quantized{}", node->name(),
                          reason == reasons_.end() ? "" : ": " + reason->second->text);
      });
      if (!quantized) findings_.Add(key, std::to_string(index), why);
    }
  }

  // Whether convert puts a dequantize there, which the output can be read before.
  bool IsQuantized(const Node& node) const {
    if (node.op() == Op::kPlaceholder) {
      for (const int64_t index : config_.input_quantized_indexes) {
        if (index >= 0 && index < static_cast<int64_t>(inputs_.size()) &&
            inputs_[static_cast<size_t>(index)]->name() == node.name()) {
          return true;
        }
      }
      return false;
    }
    if (node.op() != Op::kCallModule) return false;
    const std::shared_ptr<Module> module = prepared_.module.FindModule(node.target());
    if (const std::shared_ptr<Observer> observer = ObserverOf(module)) {
      return IsConvertible(*observer);
    }
    if (const Prepared* inner = ObservedStandaloneOf(*module)) {
      return !inner->options.custom_config.output_quantized_indexes.empty();
    }
    return module->type == kDequantStubType;
  }

  const GraphModule& float_module_;
  const Prepared& prepared_;
  const PrepareCustomConfig& config_;
  std::unordered_map<std::string, const NodeReason*> reasons_;
  std::vector<const Node*> inputs_;
  NearestNames names_;
  NearestNames types_;
  Findings findings_;
};

// Used where the prepared graph calls a module of the class under a qconfig of the type.
void QuantizedClasses(const Prepared& prepared, const OrderedMap<std::string>& classes,
                      QuantType wanted, Findings& findings) {
  NearestNames types;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    types.Insert(prepared.module.FindModule(node.target())->type);
  }
  for (const auto& [type, quantized] : classes) {
    std::string why;
    bool used = false;
    for (const Node& node : prepared.module.graph.nodes()) {
      if (node.op() != Op::kCallModule) continue;
      const std::string& called = prepared.module.FindModule(node.target())->type;
      if (called != type && QuantizableAlias(called) != type) continue;
      const NodeQConfig* resolved = prepared.node_qconfigs.Find(node.name());
      if (resolved == nullptr || resolved->qconfig == nullptr) {
        why = node.name() + " has no qconfig";
        continue;
      }
      const QuantType is = QuantTypeOf(*resolved->qconfig);
      used = used || is == wanted;
      why = fmt::format("{} has a {} qconfig, and this is for {} ones", node.name(),
                        TypeName(is), TypeName(wanted));
    }
    if (used) continue;
    if (why.empty()) {
      why = "the prepared graph calls no module of this class" + types.Hint(type);
    }
    findings.Add(kQuantizedClass, type, why);
  }
}

}  // namespace

std::vector<UnusedSetting> UnusedCustomSettings(const ExplainedStage& stage) {
  return CustomSettings(stage).Find();
}

std::vector<UnusedSetting> UnusedConvertSettings(const Prepared& prepared,
                                                 const ConvertCustomConfig& config) {
  Findings findings;
  QuantizedClasses(prepared, config.static_quantized_classes, QuantType::kStatic,
                   findings);
  QuantizedClasses(prepared, config.dynamic_quantized_classes, QuantType::kDynamic,
                   findings);
  QuantizedClasses(prepared, config.weight_only_quantized_classes, QuantType::kWeightOnly,
                   findings);
  findings.Preserved(config.preserved_attributes, *prepared.module.root,
                     "the prepared model's root has no attribute of this name: prepare "
                     "keeps what the graph uses and what its own preserved_attributes "
                     "name");
  return findings.Take();
}

std::vector<UnusedSetting> UnusedFuseSettings(const GraphModule& float_module,
                                              const FuseCustomConfig& config) {
  Findings findings;
  findings.Preserved(config.preserved_attributes, *float_module.root,
                     "the model's root has no attribute of this name");
  return findings.Take();
}

}  // namespace qconform
