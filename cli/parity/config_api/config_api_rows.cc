#include "cli/parity/config_api/config_api_rows.h"

#include <array>

#include "reference/config/backend_config_json.h"
#include "reference/config/human_readable.h"
#include "reference/config/torch_refusal.h"
#include "reference/formats/json_value.h"

namespace qconform::parity {
namespace {

// "input EXPRESSION": the input dtype of a DTypeConfig of which the record's result tells
// the rest.
ordered_json WithInput(const std::string& text, const ordered_json& want) {
  const auto expression = ParseExpression(text);
  if (!expression) throw UnreadStep("no expression: " + text);
  const ConfigValue value = Evaluate(*expression);
  const DTypeWithConstraints* dtype = value.Object<DTypeWithConstraints>();
  if (dtype == nullptr) throw UnreadStep("input is no DTypeWithConstraints");
  const ConfigValue rest =
      FromDict("DTypeConfig", want.is_object() ? want : ordered_json::object());
  rest.Object<DTypeConfig>()->input_dtype = *dtype;
  return EncodeValue(rest);
}

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
ordered_json Written(const ConfigValue& value, const ordered_json& want) {
  const auto* entry = value.As<std::shared_ptr<BackendPatternConfig>>();
  if (entry != nullptr && want.is_object() && want.contains("configs")) {
    BackendConfig config(want.value("name", ""));
    config.Set(std::shared_ptr<const BackendPatternConfig>(*entry));
    return EncodeWithKeys(config);
  }
  return EncodeValue(value);
}

ordered_json CallResult(const std::string& name, const std::string& steps,
                        const ordered_json& want) {
  const auto expression = ParseExpression(WithPlaceholders(steps));
  if (!expression) throw UnreadStep("no expression");
  const ConfigValue value = Evaluate(*expression);
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
  return Written(value, want);
}

}  // namespace

ordered_json DictionaryResult(const std::string& name, const ordered_json& dictionary,
                              const ordered_json& want) {
  constexpr std::array<const char*, 6> kClasses = {
      "DTypeConfig",         "BackendPatternConfig", "BackendConfig",
      "PrepareCustomConfig", "ConvertCustomConfig",  "FuseCustomConfig"};
  std::string class_name;
  for (const char* candidate : kClasses) {
    if (name.starts_with(candidate)) class_name = candidate;
  }
  if (name.starts_with("BackendConfig key")) {
    BackendConfig config(want.is_object() ? want.value("name", "b") : "b");
    config.Set(BackendPatternConfigFromJson(dictionary, name));
    return EncodeWithKeys(config);
  }
  if (class_name.empty() && name.starts_with("from_dict")) {
    class_name = "BackendPatternConfig";
  }
  if (class_name.empty()) throw UnreadStep("a dictionary for an unknown class");
  const ConfigValue value = FromDict(class_name, dictionary);
  if (want.is_object() && want.contains("configs")) {
    const BackendConfig* config = value.Object<BackendConfig>();
    const bool keys =
        !want.at("configs").empty() && want.at("configs")[0].contains("_internal_key");
    if (config != nullptr && !keys) return BackendConfigToJson(*config);
  }
  if (want.is_object() || want.is_array()) return EncodeValue(value);
  const size_t missing = name.find("missing ");
  if (missing == std::string::npos) {
    if (want.is_null()) return EncodeValue(value);
    throw UnreadStep("the record does not say which attribute it holds");
  }
  return EncodeValue(GetAttribute(value, name.substr(missing + 8)));
}

ordered_json ConfigApiResult(const std::string& name, const ordered_json& steps,
                             const ordered_json& want) {
  if (steps.is_object()) return DictionaryResult(name, steps, want);
  if (!steps.is_string()) throw UnreadStep("steps are neither a text nor a dictionary");
  const std::string text = steps.get<std::string>();
  if (text.starts_with("input ")) return WithInput(text.substr(6), want);
  try {
    return WordedResult(name, text, want);
  } catch (const UnreadStep&) {
    return CallResult(name, text, want);
  }
}

}  // namespace qconform::parity
