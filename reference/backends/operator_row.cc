#include "reference/backends/operator_row.h"

#include <string>

#include "reference/backends/pattern_text.h"

namespace qconform {
namespace {

std::string ForDimensions(std::string_view name, int dimensions) {
  std::string result(name);
  for (char& c : result) {
    if (c == '#') c = static_cast<char>('0' + dimensions);
  }
  return result;
}

}  // namespace

void ConfigBuilder::AddRows(std::span<const OperatorRow> rows, const DTypeConfigs& dtypes,
                            int dimensions) {
  for (const OperatorRow& row : rows) {
    const auto name = [dimensions](std::string_view text) {
      return FullName(ForDimensions(text, dimensions));
    };
    BackendPatternConfig entry(ParsePatternText(ForDimensions(row.pattern, dimensions)));
    entry.dtype_configs = dtypes;
    entry.root_module = name(row.root);
    entry.reference_quantized_module = name(row.reference);
    entry.qat_module = name(row.qat);
    entry.fused_module = name(row.fused);
    entry.fuser_method = row.fuser == "sequential"
                             ? "_sequential_wrapper2(" + entry.fused_module + ")"
                             : std::string(row.fuser);
    // The functions with weights are convolutions and linear.
    if (row.pattern.substr(0, 2) == "F." && !entry.pattern->IsTuple()) {
      entry.input_type_to_index = {{"weight", 1}, {"bias", 2}};
    }
    config_.Set(std::move(entry));
  }
}

void ConfigBuilder::AddPatterns(std::span<const std::string_view> patterns,
                                ObservationType type, const DTypeConfigs& dtypes) {
  for (std::string_view pattern : patterns) {
    BackendPatternConfig entry(ParsePatternText(pattern));
    entry.observation_type = type;
    entry.dtype_configs = dtypes;
    config_.Set(std::move(entry));
  }
}

void ConfigBuilder::AddFunction(std::string_view name, int weight, int bias,
                                const DTypeConfigs& dtypes) {
  BackendPatternConfig entry(ParsePatternText(name));
  entry.dtype_configs = dtypes;
  entry.input_type_to_index.emplace_back("weight", weight);
  if (bias >= 0) entry.input_type_to_index.emplace_back("bias", bias);
  config_.Set(std::move(entry));
}

void ConfigBuilder::AddBinary(std::span<const std::string_view> operators,
                              std::span<const std::string_view> activations,
                              const DTypeConfigs& dtypes) {
  for (std::string_view name : operators) {
    for (std::string_view activation : activations) {
      const std::string text = std::string(name) + " " + std::string(activation);
      BackendPatternConfig entry(ParsePatternText(text));
      entry.dtype_configs = dtypes;
      // A tensor and a scalar: the result keeps the tensor's parameters.
      entry.num_tensor_args_to_observation_type = {
          {0, ObservationType::kOutputUseDifferentObserverAsInput},
          {1, ObservationType::kOutputShareObserverWithInput},
          {2, ObservationType::kOutputUseDifferentObserverAsInput}};
      config_.Set(std::move(entry));
    }
  }
}

}  // namespace qconform
