#include "cli/parity/config_api/config_value.h"

#include <algorithm>
#include <array>

#include "reference/backends/pattern_text.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/dtype_config_json.h"
#include "reference/config/literal_json.h"
#include "reference/ir/error.h"
#include "reference/observe/custom_config_json.h"

namespace qconform::parity {
namespace {

constexpr std::array<std::string_view, 20> kCallables = {
    "DTypeWithConstraints",
    "DTypeConfig",
    "BackendPatternConfig",
    "BackendConfig",
    "PrepareCustomConfig",
    "ConvertCustomConfig",
    "FuseCustomConfig",
    "ObservationType",
    "len",
    "set",
    "get_fuser_method_mapping",
    "get_module_to_qat_module",
    "get_root_module_to_quantized_reference_module",
    "get_qat_module_classes",
    "get_fused_module_classes",
    "pattern_to_human_readable",
    "remove_boolean_dispatch_from_name",
    "entry_to_pretty_str",
    "_get_pattern_in_reversed_nested_tuple_format",
    "QuantType",
};

ordered_json FullConstraints(const DTypeWithConstraints& dtype) {
  ordered_json json = ordered_json::object();
  for (const char* key : {"dtype", "quant_min_lower_bound", "quant_max_upper_bound",
                          "scale_min_lower_bound", "scale_max_upper_bound",
                          "scale_exact_match", "zero_point_exact_match"}) {
    json[key] = nullptr;
  }
  json.update(DTypeWithConstraintsToJson(dtype));
  return json;
}

}  // namespace

ConfigValue ResolveName(const std::string& dotted) {
  if (std::find(kCallables.begin(), kCallables.end(), dotted) != kCallables.end() ||
      (dotted.starts_with("get_") && dotted.ends_with("_backend_config"))) {
    return {CallableName{dotted}};
  }
  constexpr std::string_view kObservation = "ObservationType.";
  if (dotted.starts_with(kObservation)) {
    if (const auto type = ParseObservationType(dotted.substr(kObservation.size()))) {
      return {*type};
    }
  }
  if (const auto dtype = ParseDType(dotted)) return {*dtype};
  if (dotted == "MatchAllNode") return {Pattern::MatchAll()};
  const std::string full = FullName(dotted);
  if (full.starts_with("torch.") || full.starts_with("operator.")) {
    return {Pattern::FromName(full)};
  }
  throw UnreadStep("unknown name " + dotted);
}

ConfigValue Evaluate(const Expression& expression) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
    case Kind::kLiteral:
      return {expression.literal};
    case Kind::kName:
      return ResolveName(expression.name);
    case Kind::kAttribute: {
      const std::string dotted = DottedName(expression);
      if (!dotted.empty()) return ResolveName(dotted);
      return GetAttribute(Evaluate(expression.items[0]), expression.name);
    }
    case Kind::kTuple:
    case Kind::kList: {
      auto list = std::make_shared<ConfigList>();
      list->is_tuple = expression.kind == Kind::kTuple;
      for (const Expression& item : expression.items) {
        list->items.push_back(Evaluate(item));
      }
      return {std::move(list)};
    }
    case Kind::kDict: {
      auto dict = std::make_shared<ConfigDict>();
      for (size_t i = 0; i + 1 < expression.items.size(); i += 2) {
        dict->items.emplace_back(Evaluate(expression.items[i]),
                                 Evaluate(expression.items[i + 1]));
      }
      return {std::move(dict)};
    }
    case Kind::kCall:
      break;
  }
  std::vector<ConfigValue> values;
  for (size_t i = 1; i < expression.items.size(); ++i) {
    values.push_back(Evaluate(expression.items[i]));
  }
  const CallArguments arguments(std::move(values), expression.keywords);
  const Expression& callee = expression.items[0];
  if (callee.kind == Kind::kName) return CallByName(callee.name, arguments);
  if (callee.kind != Kind::kAttribute) throw UnreadStep("a call of a value");
  return CallMethod(Evaluate(callee.items[0]), callee.name, arguments);
}

ConfigValue EvaluateText(const std::string& text) {
  const auto expression = ParseExpression(text);
  if (!expression) throw UnreadStep("no expression");
  return Evaluate(*expression);
}

std::vector<const ConfigValue*> CallArguments::Bind(
    const std::vector<std::string>& parameters) const {
  std::vector<const ConfigValue*> bound(parameters.size(), nullptr);
  for (size_t i = 0; i < values_.size(); ++i) {
    if (keywords_[i].empty()) continue;
    const auto found = std::find(parameters.begin(), parameters.end(), keywords_[i]);
    if (found == parameters.end()) {
      throw PipelineError("TypeError",
                          "got an unexpected keyword argument '" + keywords_[i] + "'");
    }
    bound[static_cast<size_t>(found - parameters.begin())] = &values_[i];
  }
  size_t next = 0;
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!keywords_[i].empty()) continue;
    while (next < bound.size() && bound[next] != nullptr) ++next;
    if (next == bound.size()) {
      throw PipelineError("TypeError", "too many positional arguments");
    }
    bound[next] = &values_[i];
  }
  return bound;
}

Pattern PatternOf(const ConfigValue& value) {
  if (const Pattern* pattern = value.As<Pattern>()) return *pattern;
  if (const ConfigList* list = value.Object<ConfigList>()) {
    std::vector<Pattern> items;
    for (const ConfigValue& item : list->items) items.push_back(PatternOf(item));
    return Pattern::Tuple(std::move(items));
  }
  const ordered_json* json = value.As<ordered_json>();
  if (json != nullptr && json->is_string()) {
    return Pattern::Method(json->get<std::string>());
  }
  if (json != nullptr) return Pattern::Literal(LiteralFromJson(*json, "step"));
  throw UnreadStep("a pattern that is none");
}

ordered_json EncodeWithKeys(const BackendConfig& config) {
  ordered_json json = {{"name", config.name()}, {"configs", ordered_json::array()}};
  for (const BackendConfig::Entry& entry : config.entries()) {
    ordered_json item = BackendPatternConfigToJson(entry.config);
    item["_internal_key"] = PatternToJson(entry.key);
    json["configs"].push_back(std::move(item));
  }
  return json;
}

ordered_json EncodeValue(const ConfigValue& value) {
  if (const auto* json = value.As<ordered_json>()) return *json;
  if (const auto* dtype = value.As<DType>()) {
    return "torch." + std::string(DTypeName(*dtype));
  }
  if (const auto* pattern = value.As<Pattern>()) return PatternToJson(*pattern);
  if (const auto* type = value.As<ObservationType>()) return ObservationTypeName(*type);
  if (const auto* dtype = value.Object<DTypeWithConstraints>()) {
    return FullConstraints(*dtype);
  }
  if (const auto* config = value.Object<DTypeConfig>()) return DTypeConfigToJson(*config);
  if (const auto* config = value.Object<BackendPatternConfig>()) {
    return BackendPatternConfigToJson(*config);
  }
  if (const auto* config = value.Object<BackendConfig>()) return EncodeWithKeys(*config);
  if (const auto* config = value.Object<PrepareCustomConfig>()) {
    return PrepareCustomConfigToJson(*config);
  }
  if (const auto* config = value.Object<ConvertCustomConfig>()) {
    return ConvertCustomConfigToJson(*config);
  }
  if (const auto* config = value.Object<FuseCustomConfig>()) {
    return FuseCustomConfigToJson(*config);
  }
  if (const auto* list = value.Object<ConfigList>()) {
    ordered_json json = ordered_json::array();
    for (const ConfigValue& item : list->items) json.push_back(EncodeValue(item));
    return json;
  }
  if (const auto* dict = value.Object<ConfigDict>()) {
    ordered_json json = ordered_json::object();
    for (const auto& [key, item] : dict->items) {
      const ordered_json text = EncodeValue(key);
      json[text.is_string() ? text.get<std::string>() : text.dump()] = EncodeValue(item);
    }
    return json;
  }
  throw UnreadStep("a value without a written form");
}

}  // namespace qconform::parity
