#include "reference/convert/unused_settings.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>
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
  if (given.kind != QConfigRule::Kind::kObjectType || deciding.kind != given.kind) {
    return false;
  }
  for (const ModuleType* type = FindModuleType(deciding.key); type != nullptr;
       type = FindModuleType(type->float_module)) {
    if (type->float_module == given.key) return true;
    for (const std::string_view child : type->children) {
      if (child == given.key) return true;
    }
  }
  return false;
}

std::vector<QConfigRule> UnusedSettingRules(const GraphModule& float_module,
                                            const Prepared& prepared,
                                            const std::vector<NodeReason>& reasons) {
  std::set<QConfigRule> used;
  for (const NodeReason& reason : reasons) {
    if (reason.took_effect) used.insert(reason.rule);
  }
  AddSwitchedOff(float_module, prepared, reasons, used);
  std::vector<QConfigRule> rules;
  for (QConfigRule& rule : UnusedRules(prepared.given_mapping, used)) {
    const bool acts = std::any_of(
        used.begin(), used.end(),
        [&rule](const QConfigRule& deciding) { return ActsFor(deciding, rule); });
    if (!acts) rules.push_back(std::move(rule));
  }
  return rules;
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
