#include "reference/qconfig/mapping_rewrite.h"

#include <algorithm>
#include <unordered_map>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/qconfig/observer_settings.h"
#include "reference/qconfig/preset_qconfig.h"

namespace qconform {
namespace {

QConfigPointer Get(const OrderedMap<QConfigPointer>& map, const std::string& key) {
  const QConfigPointer* found = map.Find(key);
  return found == nullptr ? nullptr : *found;
}

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsTransposedConvolution(const std::string& type) {
  return type == "torch.nn.ConvTranspose1d" || type == "torch.nn.ConvTranspose2d" ||
         type == "torch.nn.ConvTranspose3d";
}

// (_assert_valid_qconfig) A fake-quantize around a per channel observer passes.
void RefuseTransposedPerChannel(const QConfigPointer& qconfig, const std::string& type) {
  if (qconfig == nullptr || !qconfig->weight || !IsTransposedConvolution(type)) return;
  const std::string& observer = qconfig->weight->class_name;
  if (observer == "PerChannelMinMaxObserver" ||
      observer == "MovingAveragePerChannelMinMaxObserver") {
    throw PipelineError("AssertionError",
                        "Per channel weight observer is not supported yet for " + type);
  }
}

void CheckKey(const std::string& key, const QConfigPointer& qconfig,
              const QConfigPointer* other) {
  if (other == nullptr) {
    throw PipelineError("AssertionError",
                        "Missing key " + key + " in convert's qconfig mapping");
  }
  if (*other != nullptr && !QConfigEquals(qconfig, *other)) {
    throw PipelineError("AssertionError",
                        "Expected the same qconfig in prepare and convert for key " +
                            key + "; prepare: " + ToText(qconfig) +
                            "; convert: " + ToText(*other));
  }
}

void CheckLevel(const char* level, const OrderedMap<QConfigPointer>& prepare,
                const OrderedMap<QConfigPointer>& convert) {
  for (const auto& [key, qconfig] : prepare) {
    CheckKey(std::string(level) + " " + key, qconfig, convert.Find(key));
  }
}

void CheckOrders(const QConfigMapping& prepare, const QConfigMapping& convert) {
  for (const auto& [key, rule] : prepare.module_name_object_type_order) {
    const auto* other = convert.module_name_object_type_order.Find(key);
    CheckKey("module_name_object_type_order " + rule.module_name + " " +
                 rule.object_type + " " + std::to_string(rule.index),
             rule.qconfig, other == nullptr ? nullptr : &other->qconfig);
  }
}

}  // namespace

void UpdateForFusion(const GraphModule& module, QConfigMapping& mapping) {
  if (mapping.object_type.empty()) return;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const std::shared_ptr<Module> fused = module.FindModule(node.target());
    if (fused == nullptr || !IsFusedModule(fused->type)) continue;
    if (fused->children.empty()) {
      throw PipelineError("IndexError", fused->type + " has no children");
    }
    const std::string& first = fused->children.begin()->second->type;
    const QConfigPointer qconfig = Get(mapping.object_type, first);
    for (const auto& [name, child] : fused->children) {
      if (QConfigEquals(Get(mapping.object_type, child->type), qconfig)) continue;
      throw PipelineError("LookupError",
                          "During fusion, all module types in " + fused->type +
                              " need the same qconfig; offending type: " + child->type);
    }
    if (qconfig != nullptr) mapping.object_type.Set(fused->type, qconfig);
  }
}

void UpdateForQat(const BackendConfig& config, QConfigMapping& mapping) {
  const OrderedMap<std::string> qat = ModuleToQatModule(config);
  const OrderedMap<QConfigPointer> before = mapping.object_type;
  for (const auto& [type, qconfig] : before) {
    if (const std::string* qat_type = qat.Find(type)) {
      mapping.object_type.Set(*qat_type, qconfig);
    }
  }
}

OrderedMap<QConfigPointer> PropagateQConfig(const GraphModule& module,
                                            const QConfigMapping& mapping,
                                            const PropagationLimits& limits, Mode mode) {
  // One dictionary, in which a later key replaces an earlier one.
  OrderedMap<QConfigPointer> flat;
  flat.Set("", mapping.global);
  for (const auto& [key, qconfig] : mapping.object_type) flat.Set(key, qconfig);
  for (const auto& [key, qconfig] : mapping.module_name) flat.Set(key, qconfig);

  struct Visit {
    std::string path;
    std::shared_ptr<Module> module;
    QConfigPointer parent;
  };
  OrderedMap<QConfigPointer> result;
  // A module that stands at two paths keeps what it got first.
  std::unordered_map<const Module*, QConfigPointer> decided;
  std::vector<Visit> stack = {{"", module.root, nullptr}};
  while (!stack.empty()) {
    Visit visit = std::move(stack.back());
    stack.pop_back();
    const Module& current = *visit.module;
    QConfigPointer qconfig = visit.parent;
    // A module without a class must not find the global qconfig, whose key is "".
    if (const auto* by_type = current.type.empty() ? nullptr : flat.Find(current.type)) {
      qconfig = *by_type;
    }
    if (const auto* by_path = flat.Find(visit.path)) qconfig = *by_path;
    if (const auto preset = PresetQConfig(current)) qconfig = *preset;
    qconfig = decided.emplace(&current, qconfig).first->second;
    if (mode == Mode::kTorch) RefuseTransposedPerChannel(qconfig, current.type);
    result.Set(visit.path, qconfig);
    std::vector<Visit> children;
    for (const auto& [name, child] : TreeOf(visit.module)->children) {
      // torch hands them no further than to the children of the root.
      if (child == nullptr) continue;
      if (visit.path.empty() &&
          (Holds(limits.names, name) || Holds(limits.classes, child->type))) {
        continue;
      }
      const std::string path = visit.path.empty() ? name : visit.path + "." + name;
      children.push_back({path, child, qconfig});
    }
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      stack.push_back(std::move(*child));
    }
  }
  return result;
}

void CheckConvertMapping(const QConfigMapping& prepare, const QConfigMapping& convert,
                         Mode mode) {
  if (!QConfigEquals(prepare.global, convert.global)) {
    throw PipelineError("AssertionError",
                        "Expected the same global qconfig in prepare and convert");
  }
  CheckLevel("object_type", prepare.object_type, convert.object_type);
  CheckLevel("module_name", prepare.module_name, convert.module_name);
  CheckLevel("module_name_regex", prepare.module_name_regex, convert.module_name_regex);
  if (mode == Mode::kStrict) CheckOrders(prepare, convert);
}

}  // namespace qconform
