// torch's own backend configs as it writes them: backend_configs/<name>.json.
#include <fmt/format.h>

#include "cli/parity/json_difference.h"
#include "cli/parity/parts.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/backend_config_maps.h"
#include "reference/formats/json_file.h"
#include "reference/ir/error.h"
#include "reference/match/match_order.h"

namespace qconform::parity {
namespace {

ordered_json Keys(const std::vector<const BackendConfig::Entry*>& entries) {
  ordered_json keys = ordered_json::array();
  for (const BackendConfig::Entry* entry : entries) {
    keys.push_back(PatternToJson(entry->key));
  }
  return keys;
}

ordered_json Entries(const BackendConfig& config) {
  ordered_json entries = ordered_json::array();
  for (const BackendConfig::Entry& entry : config.entries()) {
    ordered_json json = BackendPatternConfigToJson(entry.config);
    json["_internal_key"] = PatternToJson(entry.key);
    entries.push_back(std::move(json));
  }
  return entries;
}

// The map's own order is the config's.
template <typename T, typename ToJson>
ordered_json PatternMap(const BackendConfig& config, const OrderedMap<T>& map,
                        const ToJson& to_json) {
  ordered_json pairs = ordered_json::array();
  for (const BackendConfig::Entry& entry : config.entries()) {
    const T* value = map.Find(entry.key.Text());
    if (value == nullptr) continue;
    pairs.push_back(ordered_json::array({PatternToJson(entry.key), to_json(*value)}));
  }
  return pairs;
}

ordered_json NameText(const std::string& name) { return name; }

ordered_json FuserText(const FuserMethod& method) {
  return method.reversed == 0
             ? method.name
             : fmt::format("_reverse{}({})", method.reversed, method.name);
}

// Records leave out the patterns without such a dictionary.
ordered_json InputTypes(const BackendConfig& config) {
  OrderedMap<InputTypeToIndex> filled;
  for (const auto& [pattern, inputs] : PatternToInputTypeToIndex(config)) {
    if (!inputs.empty()) filled.Set(pattern, inputs);
  }
  return PatternMap(config, filled, [](const InputTypeToIndex& inputs) {
    ordered_json json = ordered_json::object();
    for (const auto& [input, index] : inputs) json[input] = index;
    return json;
  });
}

ordered_json Maps(const BackendConfig& config) {
  ordered_json roots = ordered_json::array();
  for (const auto& [root, reference] : RootModuleToReferenceModule(config)) {
    roots.push_back(ordered_json::array({root, reference}));
  }
  return {
      {"root_module_to_quantized_reference_module", roots},
      {"module_to_qat_module", PatternMap(config, ModuleToQatModule(config), NameText)},
      {"qat_module_classes", QatModuleClasses(config)},
      {"fused_module_classes", FusedModuleClasses(config)},
      {"fuser_method_mapping", PatternMap(config, FuserMethods(config), FuserText)},
      {"pattern_to_input_type_to_index", InputTypes(config)},
      {"fusion_pattern_to_root_node_getter",
       PatternMap(config, FusionPatternToRootNodeGetter(config), NameText)},
      {"fusion_pattern_to_extra_inputs_getter",
       PatternMap(config, FusionPatternToExtraInputsGetter(config), NameText)},
  };
}

// A config that is not built in stands for itself: what follows from it is compared.
BackendConfig FindConfig(const std::string& name, const JsonFile& file) {
  for (const std::string& built_in : BuiltInBackendNames()) {
    if (built_in == name) return BuiltInBackendConfig(name);
  }
  return BackendConfigFromJson(file.root(), file);
}

void CompareConfig(const std::string& name, const JsonFile& file, PartReport& report) {
  const ordered_json& want = file.root();
  RecordReport record(name);
  const BackendConfig config = FindConfig(name, file);
  record.Add("name", FirstDifference(config.name(), want.at("name"), "name"));
  record.Add("entries", FirstDifference(Entries(config), want.at("configs")));
  if (want.contains("n_configs")) {
    record.Add("entries",
               FirstDifference(config.entries().size(), want.at("n_configs"), "count"));
  }
  record.Add("fusion_match_order", FirstDifference(Keys(FusionMatchOrder(config)),
                                                   want.at("fusion_match_order")));
  record.Add("quant_match_order", FirstDifference(Keys(QuantizationMatchOrder(config)),
                                                  want.at("quant_match_order")));
  const ordered_json maps = Maps(config);
  for (const auto& [map, content] : want.at("maps").items()) {
    if (maps.contains(map)) {
      record.Add("maps", FirstDifference(maps.at(map), content, map));
    } else {
      report.not_compared.push_back("maps." + map);
    }
  }
  report.records.push_back(std::move(record));
}

}  // namespace

PartReport RunBackendConfigsPart(const Files& files, const std::string& filter) {
  PartReport report{"backend_configs", {}, {}};
  for (const auto& file : files) {
    const std::string name = file.stem();
    if (name.find(filter) == std::string::npos) continue;
    CompareConfig(name, JsonFile::Read(file), report);
  }
  return report;
}

}  // namespace qconform::parity
