#include "reference/observe/custom_config_json.h"

#include <array>
#include <utility>

#include "reference/config/backend_config_json.h"
#include "reference/config/literal_json.h"
#include "reference/config/python_unpack.h"
#include "reference/config/torch_refusal.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

constexpr const char* kStandaloneName = "standalone_module_name";
constexpr const char* kStandaloneClass = "standalone_module_class";
constexpr const char* kFloatToObserved = "float_to_observed_custom_module_class";
constexpr const char* kObservedToQuantized = "observed_to_quantized_custom_module_class";
constexpr const char* kInputs = "input_quantized_idxs";
constexpr const char* kOutputs = "output_quantized_idxs";
constexpr const char* kNames = "non_traceable_module_name";
constexpr const char* kClasses = "non_traceable_module_class";
constexpr const char* kPreserved = "preserved_attributes";

// torch's QuantType by its text.
enum QuantType { kStatic, kDynamic, kWeightOnly };
constexpr std::array<const char*, 3> kQuantTypes = {"static", "dynamic", "weight_only"};
using ClassMaps = std::array<OrderedMap<std::string>*, 3>;

std::vector<std::string> Texts(const ordered_json& json, const char* key,
                               const JsonOrigin& origin) {
  std::vector<std::string> texts;
  const ordered_json* list = FindValue(json, key);
  if (list == nullptr) return texts;
  for (const ordered_json& item :
       RequireArray(*list, "'" + std::string(key) + "'", origin)) {
    texts.push_back(RequireString(item, "a value of '" + std::string(key) + "'", origin));
  }
  return texts;
}

std::vector<int64_t> Indexes(const ordered_json& json, const char* key,
                             const JsonOrigin& origin) {
  std::vector<int64_t> indexes;
  const ordered_json* list = FindValue(json, key);
  if (list == nullptr) return indexes;
  for (const ordered_json& item :
       RequireArray(*list, "'" + std::string(key) + "'", origin)) {
    indexes.push_back(
        RequireInteger(item, "a value of '" + std::string(key) + "'", origin));
  }
  return indexes;
}

// An object or null; anything else torch refuses.
const ordered_json* Dictionary(const ordered_json& value, const char* kind,
                               const char* key, const JsonOrigin& origin) {
  if (value.is_null()) return nullptr;
  if (value.is_object()) return &value;
  throw TorchRefusal(origin.Of(value), "ValueError",
                     std::string("Expected ") + kind +
                         " in prepare_custom_config_dict[\"" + key + "\"], got '" +
                         PythonTypeText(value) + "'");
}

void ReadStandalone(const ordered_json& json, const char* key, const JsonOrigin& origin,
                    ConfigFindings* findings, OrderedMap<StandaloneModule>& modules) {
  const ordered_json* list = FindValue(json, key);
  if (list == nullptr) return;
  RequireUnpackable(*list, 5, origin);
  for (const ordered_json& entry : *list) {
    StandaloneModule standalone;
    if (const auto* mapping = Dictionary(entry[1], "QConfigMapping", key, origin)) {
      standalone.qconfig_mapping = QConfigMappingFromJson(*mapping, origin, findings);
    }
    if (const auto* config = Dictionary(entry[3], "PrepareCustomConfig", key, origin)) {
      standalone.prepare_custom_config = std::make_shared<PrepareCustomConfig>(
          PrepareCustomConfigFromJson(*config, origin, findings));
    }
    if (const auto* config = Dictionary(entry[4], "BackendConfig", key, origin)) {
      standalone.backend_config = std::make_shared<BackendConfig>(
          BackendConfigFromJson(*config, origin, findings));
    }
    modules.Set(RequireString(entry[0], "the module", origin), std::move(standalone));
  }
}

void ReadClassMaps(const ordered_json& json, const char* key, bool only_static,
                   const JsonOrigin& origin, const ClassMaps& maps) {
  const ordered_json* types = FindValue(json, key);
  if (types == nullptr) return;
  RequireObject(*types, "'" + std::string(key) + "'", origin);
  for (const auto& [name, classes] : types->items()) {
    size_t type = 0;
    while (type < kQuantTypes.size() && name != kQuantTypes[type]) ++type;
    if (type == kQuantTypes.size()) {
      throw TorchRefusal(origin.Of(classes), "unknown quantization type '" + name + "'",
                         "static, dynamic or weight_only", "ValueError",
                         "Unknown QuantType name '" + name + "'");
    }
    RequireObject(classes, "the classes of '" + name + "'", origin);
    if (only_static && type != kStatic && !classes.empty()) {
      throw TorchRefusal(origin.Of(classes), "ValueError",
                         "set_float_to_observed_mapping is currently only supported for "
                         "static quantization");
    }
    for (const auto& [from, to] : classes.items()) {
      maps[type]->Set(from, RequireString(to, "a class", origin));
    }
  }
}

void WriteClassMaps(const char* key,
                    const std::array<const OrderedMap<std::string>*, 3>& maps,
                    ordered_json& json) {
  for (size_t type = 0; type < maps.size(); ++type) {
    for (const auto& [from, to] : *maps[type]) json[key][kQuantTypes[type]][from] = to;
  }
}

void WriteStandalone(const char* key, const OrderedMap<StandaloneModule>& modules,
                     ordered_json& json) {
  for (const auto& [name, standalone] : modules) {
    ordered_json entry = {name, nullptr, nullptr, nullptr, nullptr};
    if (standalone.qconfig_mapping) {
      entry[1] = QConfigMappingToDict(*standalone.qconfig_mapping);
    }
    if (standalone.prepare_custom_config != nullptr) {
      entry[3] = PrepareCustomConfigToJson(*standalone.prepare_custom_config);
    }
    if (standalone.backend_config != nullptr) {
      entry[4] = BackendConfigToJson(*standalone.backend_config);
    }
    json[key].push_back(std::move(entry));
  }
}

template <typename T>
void WriteList(const char* key, const std::vector<T>& values, ordered_json& json) {
  if (!values.empty()) json[key] = values;
}

void FindUnknown(const ordered_json& json, const char* holder,
                 const std::vector<std::string>& keys, const JsonOrigin& origin,
                 ConfigFindings* findings) {
  RequireObject(json, holder, origin);
  FindUnknownKeys(json, holder, keys, origin, findings);
}

}  // namespace

PrepareCustomConfig PrepareCustomConfigFromJson(const ordered_json& json,
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings) {
  FindUnknown(json, "a prepare custom config",
              {kStandaloneName, kStandaloneClass, kFloatToObserved, kNames, kClasses,
               kInputs, kOutputs, kPreserved},
              origin, findings);
  PrepareCustomConfig config;
  ReadStandalone(json, kStandaloneName, origin, findings, config.standalone_module_names);
  ReadStandalone(json, kStandaloneClass, origin, findings,
                 config.standalone_module_classes);
  ReadClassMaps(json, kFloatToObserved, true, origin,
                {&config.static_observed_classes, &config.dynamic_observed_classes,
                 &config.weight_only_observed_classes});
  config.non_traceable_module_names = Texts(json, kNames, origin);
  config.non_traceable_module_classes = Texts(json, kClasses, origin);
  config.input_quantized_indexes = Indexes(json, kInputs, origin);
  config.output_quantized_indexes = Indexes(json, kOutputs, origin);
  config.preserved_attributes = Texts(json, kPreserved, origin);
  return config;
}

ConvertCustomConfig ConvertCustomConfigFromJson(const ordered_json& json,
                                                const JsonOrigin& origin,
                                                ConfigFindings* findings) {
  FindUnknown(json, "a convert custom config", {kObservedToQuantized, kPreserved}, origin,
              findings);
  ConvertCustomConfig config;
  ReadClassMaps(json, kObservedToQuantized, false, origin,
                {&config.static_quantized_classes, &config.dynamic_quantized_classes,
                 &config.weight_only_quantized_classes});
  config.preserved_attributes = Texts(json, kPreserved, origin);
  return config;
}

FuseCustomConfig FuseCustomConfigFromJson(const ordered_json& json,
                                          const JsonOrigin& origin,
                                          ConfigFindings* findings) {
  FindUnknown(json, "a fuse custom config", {kPreserved}, origin, findings);
  return {Texts(json, kPreserved, origin)};
}

ordered_json PrepareCustomConfigToJson(const PrepareCustomConfig& config) {
  ordered_json json = ordered_json::object();
  WriteStandalone(kStandaloneName, config.standalone_module_names, json);
  WriteStandalone(kStandaloneClass, config.standalone_module_classes, json);
  WriteClassMaps(kFloatToObserved,
                 {&config.static_observed_classes, &config.dynamic_observed_classes,
                  &config.weight_only_observed_classes},
                 json);
  WriteList(kNames, config.non_traceable_module_names, json);
  WriteList(kClasses, config.non_traceable_module_classes, json);
  WriteList(kInputs, config.input_quantized_indexes, json);
  WriteList(kOutputs, config.output_quantized_indexes, json);
  WriteList(kPreserved, config.preserved_attributes, json);
  return json;
}

ordered_json ConvertCustomConfigToJson(const ConvertCustomConfig& config) {
  ordered_json json = ordered_json::object();
  WriteClassMaps(kObservedToQuantized,
                 {&config.static_quantized_classes, &config.dynamic_quantized_classes,
                  &config.weight_only_quantized_classes},
                 json);
  WriteList(kPreserved, config.preserved_attributes, json);
  return json;
}

ordered_json FuseCustomConfigToJson(const FuseCustomConfig& config) {
  ordered_json json = ordered_json::object();
  WriteList(kPreserved, config.preserved_attributes, json);
  return json;
}

}  // namespace qconform
