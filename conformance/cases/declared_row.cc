#include "conformance/cases/declared_row.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace qconform {
namespace {

// What a pattern computes: an operator by the name that OperatorName gives it, and
// whether a ReLU follows.
struct RowOperator {
  std::string_view name;  // of the table below
  bool relu = false;
};

// The last part of a dotted name of torch -> operator. "+relu" fuses one.
const std::map<std::string_view, std::string_view>& OperatorOfLeaf() {
  static const auto* table = new std::map<std::string_view, std::string_view>{
      {"Conv1d", "conv1d"},
      {"Conv2d", "conv2d"},
      {"Conv3d", "conv3d"},
      {"conv1d", "conv1d"},
      {"conv2d", "conv2d"},
      {"conv3d", "conv3d"},
      {"ConvReLU1d", "conv1d+relu"},
      {"ConvReLU2d", "conv2d+relu"},
      {"ConvReLU3d", "conv3d+relu"},
      {"ConvBn1d", "conv1d"},
      {"ConvBn2d", "conv2d"},
      {"ConvBn3d", "conv3d"},
      {"ConvBnReLU1d", "conv1d+relu"},
      {"ConvBnReLU2d", "conv2d+relu"},
      {"ConvBnReLU3d", "conv3d+relu"},
      {"ConvTranspose1d", "conv_transpose1d"},
      {"ConvTranspose2d", "conv_transpose2d"},
      {"ConvTranspose3d", "conv_transpose3d"},
      {"conv_transpose1d", "conv_transpose1d"},
      {"conv_transpose2d", "conv_transpose2d"},
      {"conv_transpose3d", "conv_transpose3d"},
      {"Linear", "linear"},
      {"NonDynamicallyQuantizableLinear", "linear"},
      {"linear", "linear"},
      {"LinearReLU", "linear+relu"},
      {"LinearBn1d", "linear"},
      {"BNReLU2d", "batch_norm+relu"},
      {"BNReLU3d", "batch_norm+relu"},
      {"BatchNorm1d", "batch_norm"},
      {"BatchNorm2d", "batch_norm"},
      {"BatchNorm3d", "batch_norm"},
      {"InstanceNorm1d", "instance_norm"},
      {"InstanceNorm2d", "instance_norm"},
      {"InstanceNorm3d", "instance_norm"},
      {"instance_norm", "instance_norm"},
      {"GroupNorm", "group_norm"},
      {"group_norm", "group_norm"},
      {"LayerNorm", "layer_norm"},
      {"layer_norm", "layer_norm"},
      {"ReLU", "relu"},
      {"relu", "relu"},
      {"relu_", "relu"},
      {"ReLU6", "relu6"},
      {"relu6", "relu6"},
      {"Hardtanh", "clamp"},
      {"hardtanh", "clamp"},
      {"hardtanh_", "clamp"},
      {"clamp", "clamp"},
      {"LeakyReLU", "leaky_relu"},
      {"leaky_relu", "leaky_relu"},
      {"PReLU", "prelu"},
      {"ELU", "elu"},
      {"elu", "elu"},
      {"Hardswish", "hardswish"},
      {"hardswish", "hardswish"},
      {"hardswish_", "hardswish"},
      {"Hardsigmoid", "hardsigmoid"},
      {"hardsigmoid", "hardsigmoid"},
      {"hardsigmoid_", "hardsigmoid"},
      {"Sigmoid", "sigmoid"},
      {"sigmoid", "sigmoid"},
      {"sigmoid_", "sigmoid"},
      {"Tanh", "tanh"},
      {"tanh", "tanh"},
      {"tanh_", "tanh"},
      {"Softmax", "softmax"},
      {"softmax", "softmax"},
      {"GELU", "gelu"},
      {"gelu", "gelu"},
      {"add", "add"},
      {"iadd", "add"},
      {"sub", "sub"},
      {"mul", "mul"},
      {"imul", "mul"},
      {"matmul", "matmul"},
      {"MaxPool1d", "max_pool1d"},
      {"MaxPool2d", "max_pool2d"},
      {"MaxPool3d", "max_pool3d"},
      {"max_pool1d", "max_pool1d"},
      {"max_pool2d", "max_pool2d"},
      {"max_pool3d", "max_pool3d"},
      {"AvgPool1d", "avg_pool1d"},
      {"AvgPool2d", "avg_pool2d"},
      {"AvgPool3d", "avg_pool3d"},
      {"avg_pool1d", "avg_pool1d"},
      {"avg_pool2d", "avg_pool2d"},
      {"avg_pool3d", "avg_pool3d"},
      {"AdaptiveAvgPool1d", "adaptive_avg_pool"},
      {"AdaptiveAvgPool2d", "adaptive_avg_pool"},
      {"AdaptiveAvgPool3d", "adaptive_avg_pool"},
      {"adaptive_avg_pool1d", "adaptive_avg_pool"},
      {"adaptive_avg_pool2d", "adaptive_avg_pool"},
      {"adaptive_avg_pool3d", "adaptive_avg_pool"},
      {"mean", "mean"},
      {"cat", "concat"},
      {"interpolate", "upsample"},
      {"PixelShuffle", "pixel_shuffle"},
      {"pixel_shuffle", "pixel_shuffle"},
      {"PixelUnshuffle", "pixel_unshuffle"},
      {"pixel_unshuffle", "pixel_unshuffle"},
      {"Embedding", "embedding"},
      {"EmbeddingBag", "embedding_bag"},
      {"LSTM", "lstm"},
      {"GRU", "gru"},
      {"Flatten", "reshape"},
      {"flatten", "reshape"},
      {"reshape", "reshape"},
      {"view", "reshape"},
      {"squeeze", "reshape"},
      {"squeeze_", "reshape"},
      {"unsqueeze", "reshape"},
      {"unsqueeze_", "reshape"},
      {"permute", "transpose"},
      {"transpose", "transpose"}};
  return *table;
}

void CollectAtoms(const Pattern& pattern, std::vector<std::string_view>& names) {
  // Patterns are as deep as a person writes them.
  if (pattern.IsTuple()) {
    for (const Pattern& item : pattern.items()) CollectAtoms(item, names);
  } else if (!pattern.name().empty()) {
    names.push_back(pattern.name());
  }
}

// The base operator of all atoms; batch norms behind a convolution or linear fold.
std::optional<RowOperator> OperatorOf(const Pattern& pattern) {
  std::vector<std::string_view> names;
  CollectAtoms(pattern, names);
  RowOperator result;
  for (const std::string_view name : names) {
    // All of it where there is no dot.
    const std::string_view leaf = name.substr(name.rfind('.') + 1);
    const auto found = OperatorOfLeaf().find(leaf);
    if (found == OperatorOfLeaf().end()) return std::nullopt;
    const size_t plus = found->second.find('+');
    const std::string_view word = found->second.substr(0, plus);
    result.relu |= plus != std::string_view::npos;
    if (word == "relu" && names.size() > 1) {
      result.relu = true;
    } else if (result.name.empty() || result.name == "batch_norm") {
      result.name = word;
    } else if (word != "batch_norm") {
      return std::nullopt;  // add behind a convolution: a residual, see below
    }
  }
  if (result.name.empty()) return std::nullopt;
  return result;
}

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

// As an activation of the call: of conv, linear, batch norm, add, ...
bool SameOperator(const RowOperator& row, const OperatorCall& call) {
  const int32_t activation = call.attributes.activation;
  if (activation != QC_ACTIVATION_NONE && activation != QC_ACTIVATION_RELU) return false;
  if (call.attributes.residual != 0) return false;
  return row.relu == (activation == QC_ACTIVATION_RELU) &&
         row.name == OperatorName(call.kind, call.attributes);
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
  const std::optional<RowOperator> row = OperatorOf(pattern);
  return row && SameOperator(*row, call);
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
  const std::optional<RowOperator> row = OperatorOf(pattern);
  return row ? std::string(row->name) + (row->relu ? ".relu" : "") : "";
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
