#include "conformance/cases/declared_row.h"

#include <algorithm>
#include <optional>

#include "conformance/cases/pattern_operator.h"

namespace qconform {
namespace {

bool HasDType(const DTypeWithConstraints& allowed, const CallTensor* tensor) {
  return tensor == nullptr || !allowed.dtype ||
         AbiDTypeOf(*allowed.dtype) == tensor->dtype;
}

bool AllowsGranularity(const DTypeWithConstraints& allowed, const CallTensor& tensor) {
  if (!allowed.granularity) return true;
  if (*allowed.granularity == Granularity::kPerTensor) return tensor.axis < 0;
  return tensor.axis >= 0 &&
         (!allowed.channel_axis || tensor.axis == *allowed.channel_axis);
}

bool Allows(const DTypeWithConstraints& allowed, const CallTensor* tensor) {
  if (!HasDType(allowed, tensor)) return false;
  if (tensor == nullptr || !allowed.dtype || tensor->scale.empty()) return true;
  const CodeBounds bounds = BoundsOf(*tensor);
  if (allowed.quant_min_lower_bound && bounds.min < *allowed.quant_min_lower_bound)
    return false;
  if (allowed.quant_max_upper_bound && bounds.max > *allowed.quant_max_upper_bound)
    return false;
  // Scales are single; a bound is what it is as one.
  const auto single = [](const std::optional<double>& bound) {
    return static_cast<float>(*bound);
  };
  for (const float scale : tensor->scale) {
    if (allowed.scale_min_lower_bound && scale < single(allowed.scale_min_lower_bound))
      return false;
    if (allowed.scale_max_upper_bound && scale > single(allowed.scale_max_upper_bound))
      return false;
    if (allowed.scale_exact_match && scale != single(allowed.scale_exact_match))
      return false;
  }
  const bool symmetric = allowed.qscheme == QSchemeConstraint::kSymmetric;
  const int32_t middle = tensor->dtype == QC_U8 ? 128 : 0;
  for (const int32_t zero_point : tensor->zero_point) {
    if (allowed.zero_point_exact_match && zero_point != *allowed.zero_point_exact_match)
      return false;
    if (symmetric && zero_point != middle) return false;
  }
  return AllowsGranularity(allowed, *tensor);
}

bool TakesWeight(qc_operator_kind kind) {
  return kind == QC_CONV || kind == QC_CONV_TRANSPOSE || kind == QC_LINEAR;
}

// Input 0 is indices, input 1 the table.
bool LooksUp(qc_operator_kind kind) {
  return kind == QC_EMBEDDING || kind == QC_EMBEDDING_BAG;
}

const CallTensor* InputAt(const OperatorCall& call, size_t index) {
  return index < call.inputs.size() && call.inputs[index] ? &*call.inputs[index]
                                                          : nullptr;
}

// Whether `holds` does for every operand that the config speaks about.
template <typename Predicate>
bool AllOperands(const DTypeConfig& config, const OperatorCall& call, Predicate holds) {
  if (config.IsDynamic() != (call.attributes.dynamic != 0)) return false;
  if (TakesWeight(call.kind)) {
    const CallTensor* bias = InputAt(call, 2);
    if (bias != nullptr && config.bias_dtype &&
        AbiDTypeOf(*config.bias_dtype) != bias->dtype)
      return false;
  }
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const OperandRole role = RoleOf(call, i);
    if (role == OperandRole::kOther) continue;
    const CallTensor* input = InputAt(call, i);
    // Quantized at run time, to the dtype that the config names.
    if (input != nullptr && config.IsDynamic() && input->dtype == QC_F32) continue;
    const DTypeWithConstraints& allowed =
        role == OperandRole::kWeight ? config.weight_dtype : config.input_dtype;
    if (!holds(allowed, input)) return false;
  }
  return call.outputs.empty() || holds(config.output_dtype, &call.outputs[0]);
}

bool Declares(const DTypeConfig& config, const OperatorCall& call) {
  return AllOperands(config, call, Allows);
}

}  // namespace

const Pattern& PatternOf(const BackendConfig::Entry& entry) {
  return entry.config.pattern ? *entry.config.pattern : entry.key;
}

OperandRole RoleOf(const OperatorCall& call, size_t input) {
  const CallTensor* tensor = InputAt(call, input);
  if (TakesWeight(call.kind)) {
    if (input == 1) return OperandRole::kWeight;
    return input == 2 ? OperandRole::kOther : OperandRole::kInput;
  }
  // Of a lookup the config speaks about the table alone.
  if (LooksUp(call.kind)) {
    return input == 1 ? OperandRole::kWeight : OperandRole::kOther;
  }
  const bool is_constant = tensor != nullptr && tensor->constant;
  return is_constant ? OperandRole::kOther : OperandRole::kInput;
}

bool HasDTypes(const DTypeConfig& config, const OperatorCall& call) {
  return AllOperands(config, call, HasDType);
}

bool ComputesSame(const Pattern& pattern, const OperatorCall& call) {
  const std::optional<PatternOperator> row = OperatorOf(pattern);
  return row && Computes(*row, call);
}

std::string DeclaredRow(const BackendConfig& config, const OperatorCall& call) {
  for (const BackendConfig::Entry& entry : config.entries()) {
    const Pattern& pattern = PatternOf(entry);
    if (!ComputesSame(pattern, call)) continue;
    const auto& dtypes = entry.config.dtype_configs;
    if (std::any_of(dtypes.begin(), dtypes.end(),
                    [&](const DTypeConfig& dtype) { return Declares(dtype, call); }))
      return pattern.HumanText();
  }
  return "";
}

bool HasOperator(const BackendConfig& config, const OperatorCall& call) {
  const auto& entries = config.entries();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return !entry.config.dtype_configs.empty() && ComputesSame(PatternOf(entry), call);
  });
}

std::vector<std::string> RowNames(const BackendConfig& config) {
  std::vector<std::string> names;
  for (const BackendConfig::Entry& entry : config.entries())
    if (!entry.config.dtype_configs.empty())
      names.push_back(PatternOf(entry).HumanText());
  return names;
}

std::string OperatorOfPattern(const Pattern& pattern) {
  const std::optional<PatternOperator> row = OperatorOf(pattern);
  return row ? row->Name() : "";
}

std::vector<std::string> RowsWithoutOperator(const BackendConfig& config) {
  std::vector<std::string> names;
  for (const BackendConfig::Entry& entry : config.entries())
    if (!entry.config.dtype_configs.empty() &&
        OperatorOfPattern(PatternOf(entry)).empty())
      names.push_back(PatternOf(entry).HumanText());
  return names;
}

}  // namespace qconform
