#include "cli/parity/config_api/config_api_rows.h"

#include <array>

#include "reference/config/backend_config_json.h"

namespace qconform::parity {
namespace {

// A call whose last setter stands without its argument, or with "...": any will do.
std::string WithPlaceholders(std::string text) {
  for (const char* setter : {"._set_pattern_complex_format", ".set_pattern"}) {
    if (text.ends_with(setter)) text += "((nn.ReLU, nn.Linear))";
  }
  const std::string fuser = ".set_fuser_method(...)";
  if (text.ends_with(fuser)) {
    text.replace(text.size() - fuser.size(), fuser.size(),
                 ".set_fuser_method(nni.LinearReLU)");
  }
  return text;
}

// A result is written as the record writes its own: an object in a backend config if
// that is what stands there.
ordered_json Written(const ConfigValue& value, RecordedForm form) {
  const auto* entry = value.As<std::shared_ptr<BackendPatternConfig>>();
  if (entry != nullptr &&
      (form == RecordedForm::kConfigs || form == RecordedForm::kConfigsWithKeys)) {
    BackendConfig config("b");
    config.Set(std::shared_ptr<const BackendPatternConfig>(*entry));
    return EncodeWithKeys(config);
  }
  return EncodeValue(value);
}

ordered_json CallResult(const std::string& name, const std::string& steps,
                        RecordedForm form) {
  const ConfigValue value = EvaluateText(WithPlaceholders(steps));
  if (name.starts_with("fuser method")) {
    // The map is what refuses the entry.
    BackendConfig config("b");
    if (const auto* entry = value.As<std::shared_ptr<BackendPatternConfig>>()) {
      config.Set(std::shared_ptr<const BackendPatternConfig>(*entry));
    }
    return EncodeValue(
        CallByName("get_fuser_method_mapping",
                   CallArguments({{std::make_shared<BackendConfig>(config)}}, {""})));
  }
  return Written(value, form);
}

}  // namespace

RecordedForm FormOf(const ordered_json& want) {
  if (want.is_null()) return RecordedForm::kNone;
  if (!want.is_object() && !want.is_array()) return RecordedForm::kScalar;
  if (!want.contains("configs")) return RecordedForm::kListOrObject;
  const ordered_json& configs = want.at("configs");
  const bool keys =
      configs.is_array() && !configs.empty() && configs[0].contains("_internal_key");
  return keys ? RecordedForm::kConfigsWithKeys : RecordedForm::kConfigs;
}

ordered_json DictionaryResult(const std::string& name, const ordered_json& dictionary,
                              RecordedForm form) {
  constexpr std::array<const char*, 6> kClasses = {
      "DTypeConfig",         "BackendPatternConfig", "BackendConfig",
      "PrepareCustomConfig", "ConvertCustomConfig",  "FuseCustomConfig"};
  std::string class_name;
  for (const char* candidate : kClasses) {
    if (name.starts_with(candidate)) class_name = candidate;
  }
  if (name.starts_with("BackendConfig key")) {
    BackendConfig config("b");
    config.Set(BackendPatternConfigFromJson(dictionary, name));
    return EncodeWithKeys(config);
  }
  if (class_name.empty() && name.starts_with("from_dict")) {
    class_name = "BackendPatternConfig";
  }
  if (class_name.empty()) throw UnreadStep("a dictionary for an unknown class");
  const ConfigValue value = FromDict(class_name, dictionary);
  const BackendConfig* config = value.Object<BackendConfig>();
  if (config != nullptr && form == RecordedForm::kConfigs) {
    return BackendConfigToJson(*config);
  }
  const size_t missing = name.find("missing ");
  const bool attribute = form == RecordedForm::kScalar ||
                         (form == RecordedForm::kNone && missing != std::string::npos);
  if (!attribute) return EncodeValue(value);
  if (missing == std::string::npos) {
    throw UnreadStep("the record does not say which attribute it holds");
  }
  return EncodeValue(GetAttribute(value, name.substr(missing + 8)));
}

ordered_json ConfigApiResult(const std::string& name, const ordered_json& steps,
                             RecordedForm form) {
  if (steps.is_object()) return DictionaryResult(name, steps, form);
  if (!steps.is_string()) throw UnreadStep("steps are neither a text nor a dictionary");
  const std::string text = steps.get<std::string>();
  try {
    return WordedResult(name, text);
  } catch (const UnreadStep&) {
    return CallResult(name, text, form);
  }
}

}  // namespace qconform::parity
