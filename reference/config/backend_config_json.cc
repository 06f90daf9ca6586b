#include "reference/config/backend_config_json.h"

#include <charconv>

#include "reference/config/dtype_config_json.h"
#include "reference/config/literal_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using nlohmann::ordered_json;

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
                                        const std::string& where) {
  if (json.is_string()) {
    if (auto type = ParseObservationType(json.get<std::string>())) return *type;
  }
  throw InputError(where, "found " + json.dump(),
                   "OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT, "
                   "OUTPUT_SHARE_OBSERVER_WITH_INPUT or INPUT_OUTPUT_NOT_OBSERVED");
}

std::string At(const std::string& where, size_t index) {
  return where + "[" + std::to_string(index) + "]";
}

void ReadNumTensorArgs(const ordered_json& json, const std::string& where,
                       BackendPatternConfig& config) {
  ExpectObject(json, where);
  for (const auto& [key, value] : json.items()) {
    int count = 0;
    const char* end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, count);
    if (error != std::errc() || stop != end || count < 0) {
      throw InputError(where, "found the key '" + key + "'",
                       "a number of tensor arguments");
    }
    config.num_tensor_args_to_observation_type[count] =
        ObservationTypeFromJson(value, where + "." + key);
  }
}

void ReadInputTypeToIndex(const ordered_json& json, const std::string& where,
                          BackendPatternConfig& config) {
  ExpectObject(json, where);
  for (const auto& [key, value] : json.items()) {
    if (!value.is_number_integer() || value.get<int64_t>() < 0 ||
        value.get<int64_t>() > 1000) {
      throw InputError(where + "." + key, "found " + value.dump(),
                       "the index of an argument");
    }
    config.input_type_to_index.emplace_back(key, value.get<int>());
  }
}

}  // namespace

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

Pattern PatternFromJson(const ordered_json& json, const std::string& where) {
  if (json.is_string()) return Pattern::FromName(json.get<std::string>());
  if (json.is_array()) {
    std::vector<Pattern> items;
    for (const ordered_json& item : json) {
      items.push_back(PatternFromJson(item, At(where, items.size())));
    }
    return Pattern::Tuple(std::move(items));
  }
  if (json.is_object() && json.size() == 1 && json.contains("lit")) {
    return Pattern::Literal(LiteralFromJson(json["lit"], where + ".lit"));
  }
  throw InputError(where, "found " + json.dump(), "a name, a list or {\"lit\": value}");
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
                                                  const std::string& where) {
  ExpectObject(json, where);
  BackendPatternConfig config;
  const ordered_json* pattern = FindMember(json, "pattern");
  const ordered_json* complex_format = FindMember(json, "pattern_complex_format");
  if (pattern != nullptr && complex_format != nullptr) {
    throw InputError(where, "both pattern and pattern_complex_format are set",
                     "one of them");
  }
  if (pattern != nullptr) {
    config.pattern = PatternFromJson(*pattern, where + ".pattern");
  }
  if (complex_format != nullptr) {
    config.pattern_complex_format =
        PatternFromJson(*complex_format, where + ".pattern_complex_format");
  }
  if (const ordered_json* type = FindMember(json, "observation_type")) {
    config.observation_type = ObservationTypeFromJson(*type, where + ".observation_type");
  }
  if (const ordered_json* dtypes = FindMember(json, "dtype_configs")) {
    ExpectArray(*dtypes, where + ".dtype_configs");
    for (const ordered_json& item : *dtypes) {
      config.dtype_configs.push_back(DTypeConfigFromJson(
          item, At(where + ".dtype_configs", config.dtype_configs.size())));
    }
  }
  for (const TextField& field : kTextFields) {
    config.*field.field = TextMember(json, field.key, where);
  }
  if (const ordered_json* counts =
          FindMember(json, "num_tensor_args_to_observation_type")) {
    ReadNumTensorArgs(*counts, where + ".num_tensor_args_to_observation_type", config);
  }
  if (const ordered_json* inputs = FindMember(json, "input_type_to_index")) {
    ReadInputTypeToIndex(*inputs, where + ".input_type_to_index", config);
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

BackendConfig BackendConfigFromJson(const ordered_json& json, const std::string& where) {
  ExpectObject(json, where);
  BackendConfig config(TextMember(json, "name", where));
  const ordered_json* entries = FindMember(json, "configs");
  if (entries == nullptr) return config;
  ExpectArray(*entries, where + ".configs");
  for (size_t i = 0; i < entries->size(); ++i) {
    const std::string place = At(where + ".configs", i);
    BackendPatternConfig entry = BackendPatternConfigFromJson((*entries)[i], place);
    try {
      config.Set(std::move(entry));
    } catch (const PipelineError& error) {
      throw InputError(place, error.what());
    }
  }
  return config;
}

}  // namespace qconform
