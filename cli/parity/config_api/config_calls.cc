// The constructors, setters and attributes of torch's config classes, made with ours.
#include <algorithm>

#include "cli/parity/config_api/config_value.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/dtype_config_json.h"
#include "reference/config/torch_refusal.h"
#include "reference/ir/error.h"
#include "reference/observe/custom_config_json.h"

namespace qconform::parity {
namespace {

const ordered_json kNone = nullptr;

// The plain value of an argument; null if it is absent.
const ordered_json& Plain(const ConfigValue* value) {
  if (value == nullptr) return kNone;
  const ordered_json* json = value->As<ordered_json>();
  if (json == nullptr) throw UnreadStep("a plain value was expected");
  return *json;
}

std::optional<int64_t> Integer(const ConfigValue* value) {
  const ordered_json& json = Plain(value);
  if (json.is_null()) return std::nullopt;
  if (!json.is_number_integer()) throw UnreadStep("an integer was expected");
  return json.get<int64_t>();
}

std::optional<double> Real(const ConfigValue* value) {
  const ordered_json& json = Plain(value);
  if (json.is_null()) return std::nullopt;
  if (!json.is_number()) throw UnreadStep("a number was expected");
  return json.get<double>();
}

std::optional<DType> MaybeDType(const ConfigValue* value) {
  if (value == nullptr || value->IsNone()) return std::nullopt;
  if (const DType* dtype = value->As<DType>()) return *dtype;
  throw UnreadStep("a dtype was expected");
}

DTypeWithConstraints MaybeConstraints(const ConfigValue* value) {
  if (value != nullptr) {
    if (const auto* dtype = value->Object<DTypeWithConstraints>()) return *dtype;
  }
  DTypeWithConstraints result;
  result.dtype = MaybeDType(value);
  return result;
}

// The name of a class or function; empty for None.
std::string NameOf(const ConfigValue* value) {
  if (value == nullptr || value->IsNone()) return "";
  if (const Pattern* pattern = value->As<Pattern>()) return pattern->name();
  throw UnreadStep("a class or function was expected");
}

DTypeWithConstraints MakeConstraints(const CallArguments& arguments) {
  const auto bound = arguments.Bind(
      {"dtype", "quant_min_lower_bound", "quant_max_upper_bound", "scale_min_lower_bound",
       "scale_max_upper_bound", "scale_exact_match", "zero_point_exact_match"});
  DTypeWithConstraints result;
  result.dtype = MaybeDType(bound[0]);
  result.quant_min_lower_bound = Integer(bound[1]);
  result.quant_max_upper_bound = Integer(bound[2]);
  result.scale_min_lower_bound = Real(bound[3]);
  result.scale_max_upper_bound = Real(bound[4]);
  result.scale_exact_match = Real(bound[5]);
  result.zero_point_exact_match = Integer(bound[6]);
  return result;
}

DTypeConfig MakeDTypeConfig(const CallArguments& arguments) {
  const auto bound = arguments.Bind(
      {"input_dtype", "output_dtype", "weight_dtype", "bias_dtype", "is_dynamic"});
  DTypeConfig config;
  config.input_dtype = MaybeConstraints(bound[0]);
  config.output_dtype = MaybeConstraints(bound[1]);
  config.weight_dtype = MaybeConstraints(bound[2]);
  config.bias_dtype = MaybeDType(bound[3]);
  if (const ordered_json& dynamic = Plain(bound[4]); !dynamic.is_null()) {
    if (!dynamic.is_boolean()) throw UnreadStep("is_dynamic");
    config.is_dynamic = dynamic.get<bool>();
  }
  return config;
}

template <typename T>
ConfigValue Shared(T object) {
  return {std::make_shared<T>(std::move(object))};
}

const ConfigValue& Only(const CallArguments& arguments) {
  if (arguments.values().size() != 1) throw UnreadStep("one argument was expected");
  return arguments.values()[0];
}

template <typename T>
T& Require(const ConfigValue& value, const char* what) {
  T* object = value.Object<T>();
  if (object == nullptr) throw UnreadStep(std::string(what) + " was expected");
  return *object;
}

std::vector<DTypeConfig> DTypeConfigsOf(const ConfigValue& value) {
  std::vector<DTypeConfig> configs;
  for (const ConfigValue& item : Require<ConfigList>(value, "a list").items) {
    configs.push_back(Require<DTypeConfig>(item, "a DTypeConfig"));
  }
  return configs;
}

// Setters of a BackendPatternConfig. False for an unknown one.
bool SetPatternField(BackendPatternConfig& config, const std::string& method,
                     const CallArguments& arguments) {
  const auto value = [&arguments]() -> const ConfigValue& { return Only(arguments); };
  const std::pair<const char*, std::string BackendPatternConfig::*> names[] = {
      {"set_root_module", &BackendPatternConfig::root_module},
      {"set_qat_module", &BackendPatternConfig::qat_module},
      {"set_reference_quantized_module",
       &BackendPatternConfig::reference_quantized_module},
      {"set_fused_module", &BackendPatternConfig::fused_module},
      {"set_fuser_method", &BackendPatternConfig::fuser_method},
      {"_set_root_node_getter", &BackendPatternConfig::root_node_getter},
      {"_set_extra_inputs_getter", &BackendPatternConfig::extra_inputs_getter},
  };
  for (const auto& [setter, field] : names) {
    if (method != setter) continue;
    config.*field = NameOf(&value());
    return true;
  }
  if (method == "set_pattern" && value().IsNone()) {
    config.SetPattern(Pattern());
    config.pattern.reset();
  } else if (method == "set_pattern") {
    config.SetPattern(PatternOf(value()));
  } else if (method == "_set_pattern_complex_format") {
    config.SetPatternComplexFormat(PatternOf(value()));
  } else if (method == "set_observation_type") {
    const ObservationType* type = value().As<ObservationType>();
    if (type == nullptr) throw UnreadStep("an ObservationType was expected");
    config.observation_type = *type;
  } else if (method == "add_dtype_config") {
    config.dtype_configs.push_back(Require<DTypeConfig>(value(), "a DTypeConfig"));
  } else if (method == "set_dtype_configs") {
    config.dtype_configs = DTypeConfigsOf(value());
  } else if (method == "_set_num_tensor_args_to_observation_type") {
    config.num_tensor_args_to_observation_type.clear();
    for (const auto& [key, type] : Require<ConfigDict>(value(), "a dictionary").items) {
      const ObservationType* observation = type.As<ObservationType>();
      if (observation == nullptr) throw UnreadStep("an ObservationType was expected");
      config.num_tensor_args_to_observation_type[Plain(&key).get<int>()] = *observation;
    }
  } else if (method == "_set_input_type_to_index") {
    config.input_type_to_index.clear();
    for (const auto& [key, index] : Require<ConfigDict>(value(), "a dictionary").items) {
      config.input_type_to_index.emplace_back(Plain(&key).get<std::string>(),
                                              Plain(&index).get<int>());
    }
  } else {
    return false;
  }
  return true;
}

std::shared_ptr<const BackendPatternConfig> PatternConfigOf(const ConfigValue& value) {
  const auto* pointer = value.As<std::shared_ptr<BackendPatternConfig>>();
  if (pointer == nullptr) throw UnreadStep("a BackendPatternConfig was expected");
  return *pointer;
}

bool SetBackendField(BackendConfig& config, const std::string& method,
                     const CallArguments& arguments) {
  if (method == "set_name") {
    config.set_name(Plain(&Only(arguments)).get<std::string>());
  } else if (method == "set_backend_pattern_config") {
    config.Set(PatternConfigOf(Only(arguments)));
  } else if (method == "set_backend_pattern_configs") {
    for (const ConfigValue& item : Require<ConfigList>(Only(arguments), "a list").items) {
      config.Set(PatternConfigOf(item));
    }
  } else {
    return false;
  }
  return true;
}

// to_dict of a backend config has no keys.
ordered_json ToDict(const ConfigValue& object) {
  if (const auto* config = object.Object<BackendConfig>()) {
    return BackendConfigToJson(*config);
  }
  if (object.Object<DTypeWithConstraints>() != nullptr) {
    throw PipelineError("AttributeError",
                        "'DTypeWithConstraints' object has no attribute 'to_dict'");
  }
  return EncodeValue(object);
}

}  // namespace

ConfigValue FromDict(const std::string& class_name, const ordered_json& dictionary) {
  const std::string where = class_name + ".from_dict";
  // With a list of findings the readers go on where torch does.
  ConfigFindings findings;
  if (class_name == "DTypeConfig") {
    // Files may leave out the "torch."; in Python that is a text and no dtype.
    for (const char* key : {"input_dtype", "output_dtype", "weight_dtype"}) {
      const ordered_json dtype = dictionary.value(key, ordered_json());
      if (!dtype.is_string() || dtype.get<std::string>().starts_with("torch.")) continue;
      throw TorchRefusal(where, "ValueError",
                         std::string("Expected ") + key +
                             " to be a torch.dtype or DTypeWithConstraints");
    }
    return Shared(DTypeConfigFromJson(dictionary, where, &findings));
  }
  if (class_name == "BackendPatternConfig") {
    return Shared(BackendPatternConfigFromJson(dictionary, where, &findings));
  }
  if (class_name == "BackendConfig") {
    return Shared(BackendConfigFromJson(dictionary, where, &findings));
  }
  if (class_name == "PrepareCustomConfig") {
    return Shared(PrepareCustomConfigFromJson(dictionary, where, &findings));
  }
  if (class_name == "ConvertCustomConfig") {
    return Shared(ConvertCustomConfigFromJson(dictionary, where, &findings));
  }
  if (class_name == "FuseCustomConfig") {
    return Shared(FuseCustomConfigFromJson(dictionary, where, &findings));
  }
  throw UnreadStep("unknown class " + class_name);
}

ConfigValue CallByName(const std::string& name, const CallArguments& arguments) {
  if (name == "DTypeWithConstraints") return Shared(MakeConstraints(arguments));
  if (name == "DTypeConfig") return Shared(MakeDTypeConfig(arguments));
  if (name == "BackendPatternConfig") {
    const auto bound = arguments.Bind({"pattern"});
    BackendPatternConfig config;
    if (bound[0] != nullptr && !bound[0]->IsNone()) config.pattern = PatternOf(*bound[0]);
    return Shared(std::move(config));
  }
  if (name == "BackendConfig") {
    const auto bound = arguments.Bind({"name"});
    return Shared(
        BackendConfig(bound[0] == nullptr ? "" : Plain(bound[0]).get<std::string>()));
  }
  if (name.ends_with("CustomConfig")) {
    arguments.Bind({});
    return FromDict(name, ordered_json::object());
  }
  if (name.starts_with("get_") && name.ends_with("_backend_config")) {
    std::string backend = name.substr(4, name.size() - 4 - 15);
    if (backend == "test_only_legacy_native") backend = "native_and_fp16";
    return Shared(BackendConfig(BuiltInBackendConfig(backend)));
  }
  // A setter without its object belongs to a new one.
  BackendPatternConfig pattern_config;
  if (SetPatternField(pattern_config, name, arguments)) {
    return Shared(std::move(pattern_config));
  }
  BackendConfig config("b");
  if (SetBackendField(config, name, arguments)) return Shared(std::move(config));
  return CallFunction(name, Only(arguments));
}

ConfigValue CallMethod(const ConfigValue& object, const std::string& method,
                       const CallArguments& arguments) {
  if (const auto* callable = object.As<CallableName>()) {
    if (method == "from_dict") {
      return FromDict(callable->name, EncodeValue(Only(arguments)));
    }
    throw UnreadStep("unknown class method " + method);
  }
  if (method == "to_dict") return {ToDict(object)};
  if (auto* config = object.Object<BackendPatternConfig>()) {
    if (SetPatternField(*config, method, arguments)) return object;
  }
  if (auto* config = object.Object<BackendConfig>()) {
    if (SetBackendField(*config, method, arguments)) return object;
  }
  throw UnreadStep("unknown method " + method);
}

ConfigValue GetAttribute(const ConfigValue& object, const std::string& name) {
  const auto dtype = [](const DTypeWithConstraints& value) -> ConfigValue {
    if (value.dtype) return {*value.dtype};
    return {ordered_json(nullptr)};
  };
  if (const auto* config = object.Object<DTypeConfig>()) {
    if (name == "input_dtype") return dtype(config->input_dtype);
    if (name == "output_dtype") return dtype(config->output_dtype);
    if (name == "weight_dtype") return dtype(config->weight_dtype);
    if (name == "input_dtype_with_constraints") return Shared(config->input_dtype);
    if (name == "output_dtype_with_constraints") return Shared(config->output_dtype);
    if (name == "weight_dtype_with_constraints") return Shared(config->weight_dtype);
  }
  if (const auto* config = object.Object<BackendConfig>()) {
    if (name == "name") return {ordered_json(config->name())};
    if (name == "configs") {
      ConfigList list;
      for (const BackendConfig::Entry& entry : config->entries()) {
        list.items.push_back(Shared(entry.config));
      }
      return Shared(std::move(list));
    }
  }
  if (const auto* config = object.Object<BackendPatternConfig>()) {
    if (name == "dtype_configs") {
      ConfigList list;
      for (const DTypeConfig& item : config->dtype_configs) {
        list.items.push_back(Shared(item));
      }
      return Shared(std::move(list));
    }
  }
  // Every other attribute has the name of its key; absent is None.
  const ordered_json dictionary = EncodeValue(object);
  std::string key = name;
  if (name == "reference_quantized_module") key = "reference_quantized_module_for_root";
  if (dictionary.is_object() && dictionary.contains(key)) return {dictionary.at(key)};
  static const std::vector<std::string> known = {
      "bias_dtype",          "is_dynamic",   "pattern",      "root_module",
      "qat_module",          "fused_module", "fuser_method", "reference_quantized_module",
      "preserved_attributes"};
  if (std::find(known.begin(), known.end(), name) != known.end()) {
    return {ordered_json(nullptr)};
  }
  throw UnreadStep("unknown attribute " + name);
}

}  // namespace qconform::parity
