#include "cli/parity/pt2e_quantizer.h"

#include <map>
#include <utility>

#include "reference/formats/json_value.h"
#include "reference/quantizers/quantizer_json.h"

namespace qconform::parity {
namespace {

// {"class", "operator_type", ...}: what a record calls a setting, ours, and the key of
// its subject.
struct Setting {
  const char* member;
  const char* call;
  const char* subject;
};
struct RecordedClass {
  const char* name;
  std::vector<Setting> settings;
};

const std::map<std::string, RecordedClass>& Classes() {
  static const std::vector<Setting> inductor = {
      {"module_name", "set_module_name_qconfig", "name"},
      {"operator_type", "_set_aten_operator_qconfig", "type"}};
  static const std::map<std::string, RecordedClass> classes = {
      {"X86InductorQuantizer", {"x86_inductor", inductor}},
      {"ArmInductorQuantizer", {"arm_inductor", inductor}},
      {"XNNPACKQuantizer",
       {"xnnpack",
        {{"module_name", "set_module_name", "name"},
         {"module_type", "set_module_type", "type"},
         {"operator_type", "set_operator_type", "type"}}}},
      {"EmbeddingQuantizer", {"embedding", {}}}};
  return classes;
}

// Records call the constructor of an observer "ctr".
ordered_json ConfigOfRecord(ordered_json config) {
  if (!config.is_object()) return config;
  for (const char* member : {"input_activation", "output_activation", "weight", "bias"}) {
    const auto spec = config.find(member);
    if (spec == config.end() || !spec->is_object() || !spec->contains("ctr")) continue;
    (*spec)["observer"] = (*spec)["ctr"];
    spec->erase("ctr");
  }
  return config;
}

// The same in the form of quantizer_json.h; null for a class that is not ours.
ordered_json SettingsOfRecord(const ordered_json& json, const std::string& where) {
  const std::string& name =
      RequireString(RequireMember(json, "class", where), "'class'", where);
  if (name == "ComposableQuantizer") {
    ordered_json parts = ordered_json::array();
    for (const ordered_json& part : RequireMember(json, "quantizers", where)) {
      parts.push_back(SettingsOfRecord(part, where));
      if (parts.back().is_null()) return nullptr;
    }
    return {{"quantizers", std::move(parts)}};
  }
  const auto found = Classes().find(name);
  if (found == Classes().end()) return nullptr;
  ordered_json settings = ordered_json::array();
  for (const Setting& setting : found->second.settings) {
    const ordered_json* entries = FindMember(json, setting.member);
    if (entries == nullptr) continue;
    for (const ordered_json& entry : *entries) {
      settings.push_back({{"call", setting.call},
                          {setting.subject, entry.at(0)},
                          {"config", ConfigOfRecord(entry.at(1))}});
    }
  }
  const ordered_json* global = FindMember(json, "global_config");
  if (global != nullptr && !global->is_null()) {
    settings.push_back({{"call", "set_global"}, {"config", ConfigOfRecord(*global)}});
  }
  ordered_json quantizer = {{"quantizer", found->second.name}};
  if (name != "EmbeddingQuantizer") quantizer["settings"] = std::move(settings);
  return quantizer;
}

}  // namespace

std::shared_ptr<AccountingQuantizer> QuantizerOfRecord(const ordered_json& json,
                                                       const std::string& where,
                                                       Mode mode) {
  const ordered_json settings = SettingsOfRecord(json, where);
  return settings.is_null() ? nullptr : QuantizerFromJson(settings, where, mode);
}

}  // namespace qconform::parity
