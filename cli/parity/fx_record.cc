#include "cli/parity/fx_record.h"

#include <map>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_value.h"
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/observe/custom_lstm.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform::parity {
namespace {

std::vector<int64_t> Integers(const ordered_json& json, const std::string& where) {
  std::vector<int64_t> integers;
  for (const ordered_json& item : RequireArray(json, "a list of indexes", where)) {
    integers.push_back(RequireInteger(item, "an index", where));
  }
  return integers;
}

PrepareCustomConfig CustomConfigFromJson(const ordered_json& json,
                                         const std::string& where);

StandaloneModule StandaloneFromJson(const ordered_json& json, const std::string& where) {
  StandaloneModule standalone;
  if (const ordered_json* mapping = FindMember(json, "qconfig_mapping")) {
    if (!mapping->is_null()) {
      standalone.qconfig_mapping = QConfigMappingFromJson(*mapping, where);
    }
  }
  if (const ordered_json* config = FindMember(json, "prepare_custom_config")) {
    if (!config->is_null()) {
      standalone.prepare_custom_config =
          std::make_shared<PrepareCustomConfig>(CustomConfigFromJson(*config, where));
    }
  }
  if (const ordered_json* config = FindMember(json, "backend_config")) {
    if (!config->is_null()) {
      standalone.backend_config = RecordBackendConfig(*config, where);
    }
  }
  return standalone;
}

PrepareCustomConfig CustomConfigFromJson(const ordered_json& json,
                                         const std::string& where) {
  PrepareCustomConfig config;
  for (const auto& [key, value] : json.items()) {
    if (key == "standalone_module_names" || key == "standalone_module_classes") {
      auto& modules = key == "standalone_module_names" ? config.standalone_module_names
                                                       : config.standalone_module_classes;
      for (const auto& [name, settings] : value.items()) {
        modules.Set(name, StandaloneFromJson(settings, where));
      }
    } else if (key == "float_to_observed_mapping") {
      for (const auto& [type, classes] : value.items()) {
        auto& mapping = type == "DYNAMIC"       ? config.dynamic_observed_classes
                        : type == "WEIGHT_ONLY" ? config.weight_only_observed_classes
                                                : config.static_observed_classes;
        for (const auto& [from, to] : classes.items()) {
          mapping.Set(from, to.get<std::string>());
        }
      }
    } else if (key == "input_quantized_indexes") {
      config.input_quantized_indexes = Integers(value, where);
    } else if (key == "output_quantized_indexes") {
      config.output_quantized_indexes = Integers(value, where);
    } else if (key == "non_traceable_module_names") {
      config.non_traceable_module_names = value.get<std::vector<std::string>>();
    } else if (key == "non_traceable_module_classes") {
      config.non_traceable_module_classes = value.get<std::vector<std::string>>();
    } else if (key == "preserved_attributes") {
      config.preserved_attributes = value.get<std::vector<std::string>>();
    } else {
      throw InputError(where, "unknown prepare_custom_config key " + key);
    }
  }
  return config;
}

ConvertCustomConfig ConvertConfigFromJson(const ordered_json& json,
                                          const std::string& where) {
  ConvertCustomConfig config;
  for (const auto& [key, value] : json.items()) {
    if (key == "preserved_attributes") {
      config.preserved_attributes = value.get<std::vector<std::string>>();
      continue;
    }
    if (key != "observed_to_quantized_mapping") {
      throw InputError(where, "unknown convert_custom_config key " + key);
    }
    for (const auto& [type, classes] : value.items()) {
      auto& mapping = type == "DYNAMIC"       ? config.dynamic_quantized_classes
                      : type == "WEIGHT_ONLY" ? config.weight_only_quantized_classes
                                              : config.static_quantized_classes;
      for (const auto& [from, to] : classes.items()) {
        mapping.Set(from, to.get<std::string>());
      }
    }
  }
  return config;
}

// Whether a converted graph of the record still calls the class.
bool Calls(const ordered_json& record, const std::string& type) {
  for (const char* stage : {"reference", "decomposed"}) {
    if (!record.contains(stage) || !record.at(stage).contains("modules")) continue;
    for (const auto& [path, module] : record.at(stage).at("modules").items()) {
      const std::string called = module.value("type", "");
      if (called == type || called == QuantizableAlias(type)) return true;
    }
  }
  return false;
}

// Most records say nothing about convert's own settings. Whoever prepares with torch's
// observed classes converts with torch's quantized ones, unless the result shows
// otherwise.
ConvertCustomConfig GuessConvertConfig(const PrepareCustomConfig& prepare,
                                       const ordered_json& record) {
  ConvertCustomConfig config;
  for (const auto& [type, observed] : prepare.static_observed_classes) {
    if (Calls(record, observed)) continue;
    if (IsQuantizableLstm(observed)) {
      config.static_quantized_classes.Set(observed, "torch.ao.nn.quantized.LSTM");
    } else if (IsQuantizableAttention(observed)) {
      config.static_quantized_classes.Set(observed,
                                          "torch.ao.nn.quantized.MultiheadAttention");
    }
  }
  return config;
}

std::vector<Value> ValuesFromJson(const ordered_json& json, const std::string& where) {
  std::vector<Value> values;
  for (const ordered_json& item : RequireArray(json, "a list of inputs", where)) {
    values.push_back(ValueFromJson(item, where));
  }
  return values;
}

}  // namespace

Value ValueFromJson(const ordered_json& json, const std::string& where) {
  if (IsTensorJson(json)) return TensorFromJson(json, where);
  if (json.is_array()) return Value::List(ValuesFromJson(json, where));
  if (json.is_object() && json.contains("t")) {
    return Value::Tuple(ValuesFromJson(json.at("t"), where));
  }
  if (json.is_object() && json.contains("l")) {
    return Value::List(ValuesFromJson(json.at("l"), where));
  }
  if (json.is_null()) return Value();
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_string()) return json.get<std::string>();
  return RequireReal(json, "an input", where);
}

std::shared_ptr<const BackendConfig> RecordBackendConfig(const ordered_json& json,
                                                         const std::string& where) {
  if (json.is_string()) {
    return std::make_shared<BackendConfig>(BuiltInBackendConfig(json.get<std::string>()));
  }
  return std::make_shared<BackendConfig>(
      BackendConfigFromJson(RequireMember(json, "custom", where), where));
}

FxRecord FxRecordFromJson(const ordered_json& json, const std::string& where) {
  FxRecord record;
  record.name = RequireString(RequireMember(json, "name", where), "name", where);
  record.is_qat = json.value("kind", "") == "fx_qat";
  record.float_module =
      GraphModuleFromJson(RequireMember(json, "float", where), where + ": float");
  if (const ordered_json* mapping = FindMember(json, "qconfig_mapping")) {
    record.mapping = QConfigMappingFromJson(*mapping, where + ": qconfig_mapping");
  }
  if (const ordered_json* mapping = FindMember(json, "convert_qconfig_mapping")) {
    record.convert_mapping =
        QConfigMappingFromJson(*mapping, where + ": convert_qconfig_mapping");
  }
  // Matrix records name a config with each variant.
  if (!json.contains("variants")) {
    record.backend_config = RecordBackendConfig(
        RequireMember(json, "backend_config", where), where + ": backend_config");
  }
  if (const ordered_json* config = FindMember(json, "prepare_custom_config")) {
    record.custom_config =
        CustomConfigFromJson(*config, where + ": prepare_custom_config");
  }
  const ordered_json* convert_config = FindMember(json, "convert_custom_config");
  record.convert_custom_config =
      convert_config != nullptr
          ? ConvertConfigFromJson(*convert_config, where + ": convert_custom_config")
          : GuessConvertConfig(record.custom_config, json);
  for (const ordered_json& batch :
       RequireArray(RequireMember(json, "calibration_inputs", where),
                    "calibration_inputs", where)) {
    record.calibration_inputs.push_back(
        ValuesFromJson(batch, where + ": calibration_inputs"));
  }
  record.float_test_input =
      ValuesFromJson(RequireMember(json, "test_input", where), where + ": test_input");
  const char* test_input =
      json.contains("test_input_quantized") ? "test_input_quantized" : "test_input";
  record.test_input =
      ValuesFromJson(RequireMember(json, test_input, where), where + ": test_input");
  return record;
}

}  // namespace qconform::parity
