#include "reference/config/human_readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "reference/config/python_repr.h"

namespace qconform {
namespace {

constexpr std::array<std::string_view, 8> kBooleanDispatch = {
    "torch.nn.functional.fractional_max_pool2d",
    "torch.nn.functional.fractional_max_pool3d",
    "torch.nn.functional.max_pool1d",
    "torch.nn.functional.max_pool2d",
    "torch.nn.functional.max_pool3d",
    "torch.nn.functional.adaptive_max_pool1d",
    "torch.nn.functional.adaptive_max_pool2d",
    "torch.nn.functional.adaptive_max_pool3d",
};

// str() of a value where repr() stands elsewhere: a text has no quotes.
std::string PythonText(const Pattern& pattern) {
  return pattern.kind() == Pattern::Kind::kMethod ? pattern.name() : PythonRepr(pattern);
}

std::string Member(const std::string& key, const std::string& value) {
  return "  '" + key + "': " + value + ",\n";
}

std::string DTypeConfigText(const DTypeConfig& config) {
  std::string text = "    {\n";
  const auto add = [&text](const char* key, const std::string& value) {
    text += fmt::format("      '{}': {},\n", key, value);
  };
  if (config.input_dtype.dtype) add("input_dtype", PythonRepr(config.input_dtype));
  if (config.output_dtype.dtype) add("output_dtype", PythonRepr(config.output_dtype));
  if (config.weight_dtype.dtype) add("weight_dtype", PythonRepr(config.weight_dtype));
  if (config.bias_dtype) {
    add("bias_dtype", "torch." + std::string(DTypeName(*config.bias_dtype)));
  }
  if (config.is_dynamic) add("is_dynamic", *config.is_dynamic ? "True" : "False");
  return text + "    },\n";
}

// A class or a function by its spelling.
std::string NameText(const std::string& name) {
  if (name.starts_with("_sequential_wrapper2(")) {
    return "<function _sequential_wrapper2.<locals>.fuser_method>";
  }
  return PythonRepr(Pattern::FromName(name));
}

std::string ObservationTypeText(ObservationType type) {
  return std::string("ObservationType.") + ObservationTypeName(type);
}

}  // namespace

bool IsBooleanDispatch(const std::string& function) {
  return std::find(kBooleanDispatch.begin(), kBooleanDispatch.end(), function) !=
         kBooleanDispatch.end();
}

Pattern RemoveBooleanDispatch(const Pattern& pattern) {
  const bool is_dispatch =
      pattern.kind() == Pattern::Kind::kFunction && IsBooleanDispatch(pattern.name());
  return is_dispatch ? Pattern::Method(pattern.name()) : pattern;
}

Pattern PatternToHumanReadable(const Pattern& pattern) {
  if (!pattern.IsTuple()) return RemoveBooleanDispatch(pattern);
  std::vector<Pattern> items;
  for (const Pattern& item : pattern.items()) {
    items.push_back(PatternToHumanReadable(item));
  }
  return Pattern::Tuple(std::move(items));
}

std::string EntryToPrettyText(const BackendPatternConfig& entry) {
  std::string text = "{\n";
  if (entry.pattern) {
    text += Member("pattern", PythonText(PatternToHumanReadable(*entry.pattern)));
  }
  text += "  'dtype_configs': [\n";
  for (const DTypeConfig& config : entry.dtype_configs) text += DTypeConfigText(config);
  text += "  ],\n";
  if (!entry.num_tensor_args_to_observation_type.empty()) {
    text += "  'num_tensor_args_to_observation_type': {\n";
    for (const auto& [count, type] : entry.num_tensor_args_to_observation_type) {
      text += fmt::format("    {}: {},\n", count, ObservationTypeText(type));
    }
    text += "  },\n";
  }
  text += Member("observation_type", ObservationTypeText(entry.observation_type));
  const std::pair<const char*, const std::string&> names[] = {
      {"root_module", entry.root_module},
      {"qat_module", entry.qat_module},
      {"reference_quantized_module_for_root", entry.reference_quantized_module},
      {"fused_module", entry.fused_module},
      {"fuser_method", entry.fuser_method},
      {"root_node_getter", entry.root_node_getter},
      {"extra_inputs_getter", entry.extra_inputs_getter},
  };
  for (const auto& [key, name] : names) {
    if (!name.empty()) text += Member(key, NameText(name));
  }
  if (!entry.input_type_to_index.empty()) {
    std::string inputs;
    for (const auto& [input, index] : entry.input_type_to_index) {
      inputs += fmt::format("{}'{}': {}", inputs.empty() ? "" : ", ", input, index);
    }
    text += Member("input_type_to_index", "{" + inputs + "}");
  }
  if (entry.pattern_complex_format) {
    text += Member("pattern_complex_format", PythonText(*entry.pattern_complex_format));
  }
  return text + "}";
}

}  // namespace qconform
