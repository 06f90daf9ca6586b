#include "reference/lint/config_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "reference/config/module_types.h"
#include "reference/lint/config_rules.h"

namespace qconform {
namespace {

std::string Bounds(const DTypeWithConstraints& dtype) {
  std::string text;
  if (dtype.quant_min_lower_bound || dtype.quant_max_upper_bound) {
    const auto side = [](const std::optional<int64_t>& bound) {
      return bound ? std::to_string(*bound) : std::string("..");
    };
    text += fmt::format(" [{}, {}]", side(dtype.quant_min_lower_bound),
                        side(dtype.quant_max_upper_bound));
  }
  if (dtype.scale_min_lower_bound) {
    text += fmt::format(" scale>={:.4g}", *dtype.scale_min_lower_bound);
  }
  if (dtype.scale_max_upper_bound) {
    text += fmt::format(" scale<={:.4g}", *dtype.scale_max_upper_bound);
  }
  if (dtype.scale_exact_match)
    text += fmt::format(" scale={:.4g}", *dtype.scale_exact_match);
  if (dtype.zero_point_exact_match) {
    text += fmt::format(" zp={}", *dtype.zero_point_exact_match);
  }
  if (dtype.qscheme) text += std::string(" ") + Name(*dtype.qscheme);
  if (dtype.granularity) text += std::string(" ") + Name(*dtype.granularity);
  if (dtype.channel_axis) text += fmt::format(" axis={}", *dtype.channel_axis);
  return text;
}

std::string Side(const DTypeWithConstraints& dtype) {
  if (!dtype.dtype) return "-";
  return std::string(DTypeName(*dtype.dtype)) + Bounds(dtype);
}

bool IsFloat(const DTypeWithConstraints& dtype) {
  return !dtype.dtype || *dtype.dtype == DType::kFloat32;
}

std::string How(const DTypeConfig& config) {
  if (config.IsDynamic()) return "dynamic";
  if (config.input_dtype.dtype == DType::kFloat16) return "float16";
  if (!IsFloat(config.input_dtype)) return "static";
  return IsFloat(config.weight_dtype) ? "float" : "weight only";
}

std::string Training(const BackendPatternConfig& config, const Pattern& key,
                     const DTypeConfig& dtypes) {
  const bool static_activations = !IsFloat(dtypes.input_dtype) && !dtypes.IsDynamic();
  if (!config.qat_module.empty() && !key.IsTuple()) return config.qat_module;
  if (!config.fused_module.empty()) return "as fused";
  const Pattern& root = RootAtom(key);
  if (IsQatModule(root.name())) return "yes";
  if (!static_activations) return "no";
  if (IsFloat(dtypes.weight_dtype) || root.kind() == Pattern::Kind::kFunction)
    return "yes";
  return "activations";
}

std::string Notes(const BackendPatternConfig& config) {
  std::string notes;
  const auto add = [&notes](const std::string& note) {
    notes += (notes.empty() ? "" : "; ") + note;
  };
  if (!config.fused_module.empty()) {
    add("fuses to " + config.fused_module);
  } else if (!config.fuser_method.empty()) {
    add("folds");
  }
  if (config.observation_type == ObservationType::kOutputShareObserverWithInput) {
    add("output shares the input's observer");
  }
  if (config.observation_type == ObservationType::kInputOutputNotObserved) {
    add("declared not observed");
  }
  if (!config.num_tensor_args_to_observation_type.empty()) {
    add("observers by number of tensors");
  }
  return notes;
}

}  // namespace

std::vector<CapabilityRow> CapabilityTable(const BackendConfig& config) {
  std::vector<CapabilityRow> table;
  for (const BackendConfig::Entry& entry : config.entries()) {
    const BackendPatternConfig& row = entry.config;
    CapabilityRow line;
    line.pattern = row.pattern ? row.pattern->HumanText() : entry.key.HumanText();
    line.notes = Notes(row);
    if (row.dtype_configs.empty()) {
      line.input = line.weight = line.bias = line.output = "-";
      line.how = line.training = "no";
      table.push_back(line);
    }
    for (const DTypeConfig& dtypes : row.dtype_configs) {
      line.input = Side(dtypes.input_dtype);
      line.weight = Side(dtypes.weight_dtype);
      line.bias = dtypes.bias_dtype ? std::string(DTypeName(*dtypes.bias_dtype)) : "-";
      line.output = Side(dtypes.output_dtype);
      line.how = How(dtypes);
      line.training = Training(row, entry.key, dtypes);
      table.push_back(line);
    }
  }
  return table;
}

std::string CapabilityText(const std::vector<CapabilityRow>& rows) {
  using Field = std::string CapabilityRow::*;
  static constexpr std::array<std::pair<const char*, Field>, 8> kColumns = {{
      {"pattern", &CapabilityRow::pattern},
      {"input", &CapabilityRow::input},
      {"weight", &CapabilityRow::weight},
      {"bias", &CapabilityRow::bias},
      {"output", &CapabilityRow::output},
      {"how", &CapabilityRow::how},
      {"QAT", &CapabilityRow::training},
      {"notes", &CapabilityRow::notes},
  }};
  std::array<size_t, 8> widths{};
  for (size_t i = 0; i < kColumns.size(); ++i) {
    widths[i] = std::string_view(kColumns[i].first).size();
    for (const CapabilityRow& row : rows) {
      widths[i] = std::max(widths[i], (row.*kColumns[i].second).size());
    }
  }
  const auto line = [&](const auto& value) {
    std::string text;
    for (size_t i = 0; i < kColumns.size(); ++i) {
      text += fmt::format("{:<{}}  ", value(i), widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text = line([](size_t i) { return std::string(kColumns[i].first); });
  for (const CapabilityRow& row : rows) {
    text += line([&row](size_t i) { return row.*kColumns[i].second; });
  }
  return text;
}

}  // namespace qconform
