#include "cli/parity/config_api/custom_config_words.h"

#include <set>
#include <string>
#include <utility>

#include "reference/observe/custom_config_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

ordered_json StandaloneModules(const OrderedMap<StandaloneModule>& modules) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, module] : modules) {
    ordered_json& shown = json[name];
    shown["qconfig_mapping"] = nullptr;
    shown["prepare_custom_config"] = nullptr;
    if (module.qconfig_mapping) {
      shown["qconfig_mapping"] = QConfigMappingToDict(*module.qconfig_mapping);
    }
    if (module.prepare_custom_config != nullptr) {
      shown["prepare_custom_config"] =
          PrepareCustomConfigToJson(*module.prepare_custom_config);
    }
  }
  return json;
}

ordered_json ObservedClasses(const PrepareCustomConfig& config) {
  const std::pair<const char*, const OrderedMap<std::string>*> types[] = {
      {"STATIC", &config.static_observed_classes},
      {"DYNAMIC", &config.dynamic_observed_classes},
      {"WEIGHT_ONLY", &config.weight_only_observed_classes}};
  ordered_json json = ordered_json::object();
  for (const auto& [type, classes] : types) {
    for (const auto& [from, to] : *classes) json[type][from] = to;
  }
  return json;
}

ordered_json SortedKeys(const ordered_json& dictionary) {
  std::set<std::string> keys;
  for (const auto& [key, value] : dictionary.items()) keys.insert(key);
  return keys;
}

}  // namespace

ordered_json PrepareAttributes() {
  const ordered_json none = nullptr;
  const ordered_json empty = ordered_json::object();
  ordered_json dictionary = ordered_json::object();
  dictionary["standalone_module_name"].push_back({"m1", none, none, none, none});
  dictionary["standalone_module_class"].push_back({"Sub", none, none, empty, none});
  dictionary["float_to_observed_custom_module_class"]["static"]["CustomFloat"] =
      "CustomObserved";
  dictionary["non_traceable_module_name"].push_back("a");
  dictionary["non_traceable_module_class"].push_back("Sub");
  dictionary["input_quantized_idxs"].push_back(0);
  dictionary["output_quantized_idxs"].push_back(1);
  dictionary["preserved_attributes"].push_back("t");
  const PrepareCustomConfig config = PrepareCustomConfigFromJson(dictionary, "keys");
  return {
      {"standalone_module_names", StandaloneModules(config.standalone_module_names)},
      {"standalone_module_classes", StandaloneModules(config.standalone_module_classes)},
      {"float_to_observed_mapping", ObservedClasses(config)},
      {"non_traceable_module_names", config.non_traceable_module_names},
      {"non_traceable_module_classes", config.non_traceable_module_classes},
      {"input_quantized_indexes", config.input_quantized_indexes},
      {"output_quantized_indexes", config.output_quantized_indexes},
      {"preserved_attributes", config.preserved_attributes}};
}

ordered_json FullPrepareKeys() {
  PrepareCustomConfig config;
  config.standalone_module_names.Set("m", {});
  config.static_observed_classes.Set("CustomFloat", "CustomObserved");
  config.non_traceable_module_names = {"a"};
  config.non_traceable_module_classes = {"Sub"};
  config.input_quantized_indexes = {0};
  config.output_quantized_indexes = {0};
  config.preserved_attributes = {"a"};
  return SortedKeys(PrepareCustomConfigToJson(config));
}

ordered_json FullConvertKeys() {
  ConvertCustomConfig config;
  config.static_quantized_classes.Set("CustomObserved", "CustomQuantized");
  config.preserved_attributes = {"a"};
  return SortedKeys(ConvertCustomConfigToJson(config));
}

}  // namespace qconform::parity
