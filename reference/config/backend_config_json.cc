#include "reference/config/backend_config_json.h"

#include <charconv>

#include "reference/config/dtype_config_json.h"
#include "reference/config/literal_json.h"
#include "reference/config/python_unpack.h"
#include "reference/config/torch_refusal.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct TextField {
  const char* key;
  std::string BackendPatternConfig::*field;
};

// In the order in which torch writes them.
constexpr TextField kTextFields[] = {
    {"root_module", &BackendPatternConfig::root_module},
    {"qat_module", &BackendPatternConfig::qat_module},
    {"reference_quantized_module_for_root",
     &BackendPatternConfig::reference_quantized_module},
    {"fused_module", &BackendPatternConfig::fused_module},
    {"fuser_method", &BackendPatternConfig::fuser_method},
    {"root_node_getter", &BackendPatternConfig::root_node_getter},
    {"extra_inputs_getter", &BackendPatternConfig::extra_inputs_getter},
};

ObservationType ObservationTypeFromJson(const ordered_json& json,
                                        const JsonOrigin& origin) {
  if (json.is_string()) {
    if (auto type = ParseObservationType(json.get<std::string>())) return *type;
  }
  throw InputError(origin.Of(json), "found " + DescribeJson(json),
                   "OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT, "
                   "OUTPUT_SHARE_OBSERVER_WITH_INPUT or INPUT_OUTPUT_NOT_OBSERVED");
}

void ReadNumTensorArgs(const ordered_json& json, const JsonOrigin& origin,
                       BackendPatternConfig& config) {
  RequireObject(json, "a dictionary", origin);
  for (const auto& [key, value] : json.items()) {
    int count = 0;
    const char* end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, count);
    if (error != std::errc() || stop != end || count < 0) {
      throw InputError(origin.Of(value), "found the key '" + key + "'",
                       "a number of tensor arguments");
    }
    config.num_tensor_args_to_observation_type[count] =
        ObservationTypeFromJson(value, origin);
  }
}

void ReadInputTypeToIndex(const ordered_json& json, const JsonOrigin& origin,
                          BackendPatternConfig& config) {
  RequireObject(json, "a dictionary", origin);
  for (const auto& [key, value] : json.items()) {
    if (!value.is_number_integer() || value.get<int64_t>() < 0 ||
        value.get<int64_t>() > 1000) {
      throw InputError(origin.Of(value), "found " + DescribeJson(value),
                       "the index of an argument");
    }
    config.input_type_to_index.emplace_back(key, value.get<int>());
  }
}

}  // namespace

// What an entry may hold; "_internal_key" stands in dumps of torch's own configs.
const std::vector<std::string>& BackendPatternConfigKeys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names = {"observation_type", "dtype_configs", "pattern"};
    for (const TextField& field : kTextFields) names.emplace_back(field.key);
    for (const char* name : {"num_tensor_args_to_observation_type", "input_type_to_index",
                             "pattern_complex_format", "_internal_key"}) {
      names.emplace_back(name);
    }
    return names;
  }();
  return keys;
}

ordered_json PatternToJson(const Pattern& pattern) {
  switch (pattern.kind()) {
    case Pattern::Kind::kMatchAll:
      return "MatchAllNode";
    case Pattern::Kind::kModule:
    case Pattern::Kind::kFunction:
    case Pattern::Kind::kMethod:
      return pattern.name();
    case Pattern::Kind::kLiteral:
      return {{"lit", LiteralToJson(pattern.literal())}};
    case Pattern::Kind::kTuple:
      break;
  }
  ordered_json items = ordered_json::array();
  for (const Pattern& item : pattern.items()) items.push_back(PatternToJson(item));
  return items;
}

Pattern PatternFromJson(const ordered_json& json, const JsonOrigin& origin) {
  if (json.is_string()) return Pattern::FromName(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Pattern> items;
    for (const ordered_json& item : json) {
      items.push_back(PatternFromJson(item, origin));
    }
    return Pattern::Tuple(std::move(items));
  }
  if (json.is_object() && json.size() == 1 && json.contains("lit")) {
    return Pattern::Literal(LiteralFromJson(json["lit"], origin));
  }
  throw InputError(origin.Of(json), "found " + DescribeJson(json),
                   "a name, a list or {\"lit\": value}");
}

ordered_json BackendPatternConfigToJson(const BackendPatternConfig& config) {
  ordered_json json = ordered_json::object();
  json["observation_type"] = ObservationTypeName(config.observation_type);
  json["dtype_configs"] = ordered_json::array();
  for (const DTypeConfig& dtype_config : config.dtype_configs) {
    json["dtype_configs"].push_back(DTypeConfigToJson(dtype_config));
  }
  if (config.pattern) json["pattern"] = PatternToJson(*config.pattern);
  for (const TextField& field : kTextFields) {
    const std::string& value = config.*field.field;
    if (!value.empty()) json[field.key] = value;
  }
  for (const auto& [count, type] : config.num_tensor_args_to_observation_type) {
    json["num_tensor_args_to_observation_type"][std::to_string(count)] =
        ObservationTypeName(type);
  }
  for (const auto& [input, index] : config.input_type_to_index) {
    json["input_type_to_index"][input] = index;
  }
  if (config.pattern_complex_format) {
    json["pattern_complex_format"] = PatternToJson(*config.pattern_complex_format);
  }
  return json;
}

BackendPatternConfig BackendPatternConfigFromJson(const ordered_json& json,
                                                  const JsonOrigin& origin,
                                                  ConfigFindings* findings) {
  RequireObject(json, "an entry of a backend config", origin);
  FindUnknownKeys(json, "an entry of a backend config", BackendPatternConfigKeys(),
                  origin, findings);
  BackendPatternConfig config;
  const ordered_json* pattern = FindValue(json, "pattern");
  const ordered_json* complex_format = FindValue(json, "pattern_complex_format");
  if (pattern != nullptr && complex_format != nullptr) {
    throw TorchRefusal(origin.Of(json), "both pattern and pattern_complex_format are set",
                       "one of them", "ValueError",
                       "Only one of 'pattern' or 'pattern_complex_format' can be set");
  }
  if (pattern != nullptr) {
    config.pattern = PatternFromJson(*pattern, origin);
  }
  if (complex_format != nullptr) {
    config.pattern_complex_format = PatternFromJson(*complex_format, origin);
  }
  if (const ordered_json* type = FindValue(json, "observation_type")) {
    config.observation_type = ObservationTypeFromJson(*type, origin);
  }
  if (const ordered_json* dtypes = FindValue(json, "dtype_configs")) {
    RequireArray(*dtypes, "'dtype_configs'", origin);
    for (const ordered_json& item : *dtypes) {
      if (!item.is_object()) {
        throw TorchRefusal(origin.Of(item), "found " + DescribeJson(item),
                           "a dtype config", "ValueError",
                           "Expected a list of DTypeConfigs in "
                           "backend_pattern_config_dict[\"dtype_configs\"], got '" +
                               PythonTypeText(item) + "'");
      }
      config.dtype_configs.push_back(DTypeConfigFromJson(item, origin, findings));
    }
  }
  for (const TextField& field : kTextFields) {
    config.*field.field = TextValue(json, field.key, origin);
  }
  if (const ordered_json* counts =
          FindValue(json, "num_tensor_args_to_observation_type")) {
    ReadNumTensorArgs(*counts, origin, config);
  }
  if (const ordered_json* inputs = FindValue(json, "input_type_to_index")) {
    ReadInputTypeToIndex(*inputs, origin, config);
  }
  return config;
}

ordered_json BackendConfigToJson(const BackendConfig& config) {
  ordered_json json = {{"name", config.name()}, {"configs", ordered_json::array()}};
  for (const BackendConfig::Entry& entry : config.entries()) {
    json["configs"].push_back(BackendPatternConfigToJson(entry.config));
  }
  return json;
}

BackendConfig BackendConfigFromJson(const ordered_json& json, const JsonOrigin& origin,
                                    ConfigFindings* findings) {
  if (!json.is_object()) {
    // torch takes it for a BackendConfig and finds out when it asks for the entries.
    std::string type = PythonTypeText(json);
    type = type.substr(8, type.size() - 10);
    throw TorchRefusal(
        origin.Of(json), "found " + DescribeJson(json), "a backend config",
        "AttributeError",
        "'" + type + "' object has no attribute '_pattern_complex_format_to_config'");
  }
  static const std::vector<std::string> keys = {"name", "configs"};
  FindUnknownKeys(json, "a backend config", keys, origin, findings);
  BackendConfig config(TextValue(json, "name", origin));
  const ordered_json* entries = FindValue(json, "configs");
  if (entries == nullptr) return config;
  RequireArray(*entries, "'configs'", origin);
  for (const ordered_json& item : *entries) {
    if (!item.is_object()) {
      throw TorchRefusal(origin.Of(item), "found " + DescribeJson(item), "an entry",
                         "ValueError",
                         "Expected backend_config_dict['configs'] to be a dictionary");
    }
    BackendPatternConfig entry = BackendPatternConfigFromJson(item, origin, findings);
    try {
      config.Set(std::move(entry));
    } catch (const PipelineError& error) {
      throw TorchRefusal(origin.Of(item), error.kind(), error.what());
    }
  }
  return config;
}

}  // namespace qconform
