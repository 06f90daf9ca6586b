#include "reference/convert/unused_settings.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "reference/config/module_types.h"

namespace qconform {
namespace {

// The mapping without the settings that switch nodes off.
QConfigMapping WithoutNone(const QConfigMapping& mapping) {
  QConfigMapping kept;
  kept.global = mapping.global;
  const auto copy = [](const OrderedMap<QConfigPointer>& from,
                       OrderedMap<QConfigPointer>& to) {
    for (const auto& [key, qconfig] : from) {
      if (qconfig != nullptr) to.Set(key, qconfig);
    }
  };
  copy(mapping.object_type, kept.object_type);
  copy(mapping.module_name_regex, kept.module_name_regex);
  copy(mapping.module_name, kept.module_name);
  for (const auto& [key, rule] : mapping.module_name_object_type_order) {
    if (rule.qconfig != nullptr) kept.module_name_object_type_order.Set(key, rule);
  }
  return kept;
}

// The types whose rule prepare copies to the type of this one: what a fused or QAT class
// was made of.
std::vector<std::string> CopiedFrom(const QConfigRule& deciding) {
  std::vector<std::string> types;
  if (deciding.kind != QConfigRule::Kind::kObjectType) return types;
  for (const ModuleType* type = FindModuleType(deciding.key); type != nullptr;
       type = FindModuleType(type->float_module)) {
    types.push_back(type->float_module);
    types.insert(types.end(), type->children.begin(), type->children.end());
  }
  return types;
}

// Adds the rules that switched off a node which would be quantized without them.
void AddSwitchedOff(const GraphModule& float_module, const Prepared& prepared,
                    const std::vector<NodeReason>& reasons, std::set<QConfigRule>& used) {
  // The rules by the nodes of a pattern that they gave None.
  std::unordered_map<std::string, const QConfigRule*> off;
  for (const NodeReason& reason : reasons) {
    if (reason.qconfig != nullptr || reason.rule.kind == QConfigRule::Kind::kNone ||
        reason.rule.kind == QConfigRule::Kind::kGlobal || reason.pattern.empty()) {
      continue;
    }
    off[reason.node] = &reason.rule;
  }
  if (off.empty()) return;
  try {
    const Prepared otherwise =
        PrepareFx(float_module, WithoutNone(prepared.given_mapping),
                  prepared.backend_config, prepared.options);
    for (const NodeReason& reason : ExplainNodes(float_module, otherwise)) {
      const auto found = off.find(reason.node);
      if (found != off.end() && reason.took_effect) used.insert(*found->second);
    }
  } catch (const std::runtime_error&) {  // PipelineError, InputError
    // What cannot even be prepared without them they did switch off.
    for (const auto& [node, rule] : off) used.insert(*rule);
  }
}

}  // namespace

bool ActsFor(const QConfigRule& deciding, const QConfigRule& given) {
  if (deciding == given) return true;
  if (given.kind != QConfigRule::Kind::kObjectType) return false;
  const std::vector<std::string> types = CopiedFrom(deciding);
  return std::find(types.begin(), types.end(), given.key) != types.end();
}

std::vector<QConfigRule> UnusedSettingRules(const GraphModule& float_module,
                                            const Prepared& prepared,
                                            const std::vector<NodeReason>& reasons) {
  std::set<QConfigRule> used;
  for (const NodeReason& reason : reasons) {
    if (reason.took_effect) used.insert(reason.rule);
  }
  AddSwitchedOff(float_module, prepared, reasons, used);
  std::set<QConfigRule> acting = used;
  for (const QConfigRule& deciding : used) {
    for (const std::string& type : CopiedFrom(deciding)) {
      acting.insert({QConfigRule::Kind::kObjectType, type});
    }
  }
  return UnusedRules(prepared.given_mapping, acting);
}

std::vector<std::string> UnusedSettings(const GraphModule& float_module,
                                        const Prepared& prepared,
                                        const std::vector<NodeReason>& reasons) {
  std::vector<std::string> lines;
  for (const QConfigRule& rule : UnusedSettingRules(float_module, prepared, reasons)) {
    lines.push_back(ToText(rule) + " took effect on no node");
  }
  return lines;
}

}  // namespace qconform
