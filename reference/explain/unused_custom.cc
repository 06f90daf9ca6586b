#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reference/explain/nearest.h"
#include "reference/explain/unused.h"

namespace qconform {
namespace {

class CustomSettings {
 public:
  CustomSettings(const GraphModule& float_module, const Prepared& prepared)
      : float_module_(float_module), config_(prepared.options.custom_config) {
    for (const Node& node : float_module.graph.nodes()) {
      if (node.op() == Op::kPlaceholder) ++inputs_;
      if (node.op() == Op::kOutput && !node.args().empty()) {
        const Sequence* outputs = node.args()[0].As<Sequence>();
        outputs_ = outputs == nullptr ? 1 : static_cast<int64_t>(outputs->items.size());
      }
      if (node.op() != Op::kCallModule) continue;
      names_.insert(node.target());
      if (const auto module = float_module.FindModule(node.target())) {
        types_.insert(module->type);
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
    for (const auto* classes :
         {&config_.static_observed_classes, &config_.dynamic_observed_classes,
          &config_.weight_only_observed_classes}) {
      for (const auto& [type, observed] : *classes) {
        Type("float_to_observed_custom_module_class", type);
      }
    }
    for (const std::string& name : config_.non_traceable_module_names) {
      Name("non_traceable_module_name", name);
    }
    for (const std::string& type : config_.non_traceable_module_classes) {
      Type("non_traceable_module_class", type);
    }
    Indexes("input_quantized_idxs", config_.input_quantized_indexes, inputs_, "input");
    Indexes("output_quantized_idxs", config_.output_quantized_indexes, outputs_,
            "output");
    return std::move(unused_);
  }

 private:
  void Add(const std::string& key, const std::string& value, std::string why) {
    unused_.push_back({"custom setting", key + " " + value, std::move(why), false});
  }

  void Name(const char* key, const std::string& name) {
    if (names_.count(name) > 0) return;
    Add(key, name,
        (float_module_.FindModule(name) != nullptr
             ? "the graph never calls this module (it was traced into, or is not used)"
             : "no module has this name") +
            NearestOf(name, names_));
  }

  void Type(const char* key, const std::string& type) {
    if (types_.count(type) > 0) return;
    Add(key, type, "the graph calls no module of this class" + NearestOf(type, types_));
  }

  void Indexes(const char* key, const std::vector<int64_t>& indexes, int64_t count,
               const char* what) {
    for (const int64_t index : indexes) {
      if (index >= 0 && index < count) continue;
      Add(key, std::to_string(index),
          fmt::format("the graph has {} {}{}, counted from 0", count, what,
                      count == 1 ? "" : "s"));
    }
  }

  const GraphModule& float_module_;
  const PrepareCustomConfig& config_;
  std::set<std::string> names_;
  std::set<std::string> types_;
  int64_t inputs_ = 0;
  int64_t outputs_ = 0;
  std::vector<UnusedSetting> unused_;
};

}  // namespace

std::vector<UnusedSetting> UnusedCustomSettings(const GraphModule& float_module,
                                                const Prepared& prepared) {
  return CustomSettings(float_module, prepared).Find();
}

}  // namespace qconform
