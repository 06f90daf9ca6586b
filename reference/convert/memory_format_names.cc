#include "reference/convert/memory_format_names.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace qconform {
namespace {

using Rule = MemoryFormatRule;

struct NamedRule {
  Rule rule;
  std::vector<std::string_view> names;
};

// Measured with torch 2.14.1.
std::unordered_map<std::string_view, Rule> Table() {
  const std::vector<NamedRule> rules = {
      {Rule::kKept,
       {"relu", "relu_", "leaky_relu", "hardsigmoid", "hardsigmoid_", "sigmoid",
        "sigmoid_", "tanh", "tanh_", "hardswish", "prelu", "mul", "mul_relu",
        "channel_shuffle", "dequantize", "quantize_per_tensor", "flip", "pad", "ReLU",
        "LeakyReLU", "Hardsigmoid", "Sigmoid", "Tanh", "Hardswish", "PReLU",
        "ChannelShuffle", "Quantize", "DeQuantize",
        // Of floats only.
        "glu", "GLU", "pixel_shuffle", "pixel_unshuffle", "PixelShuffle",
        "PixelUnshuffle", "ConstantPad2d", "ReflectionPad2d", "ReplicationPad2d",
        "ZeroPad2d"}},
      {Rule::kSum, {"add", "add_relu"}},
      {Rule::kSame,
       {"dropout", "Dropout", "Dropout2d", "Dropout3d", "Identity", "detach", "detach_"}},
      {Rule::kChannelsLast,
       {"conv1d",           "conv2d",          "conv3d",           "conv1d_relu",
        "conv2d_relu",      "conv3d_relu",     "conv_transpose1d", "conv_transpose2d",
        "conv_transpose3d", "Conv1d",          "Conv2d",           "Conv3d",
        "ConvReLU1d",       "ConvReLU2d",      "ConvReLU3d",       "ConvBn1d",
        "ConvBn2d",         "ConvBn3d",        "ConvBnReLU1d",     "ConvBnReLU2d",
        "ConvBnReLU3d",     "ConvAdd2d",       "ConvAddReLU2d",    "ConvTranspose1d",
        "ConvTranspose2d",  "ConvTranspose3d", "BNReLU2d",         "BNReLU3d",
        "BatchNorm2d",      "BatchNorm3d",     "batch_norm"}},
      {Rule::kPooled, {"max_pool1d",          "max_pool2d",
                       "max_pool3d",          "avg_pool1d",
                       "avg_pool2d",          "avg_pool3d",
                       "adaptive_avg_pool1d", "adaptive_avg_pool2d",
                       "adaptive_avg_pool3d", "interpolate",
                       "MaxPool1d",           "MaxPool2d",
                       "MaxPool3d",           "AvgPool1d",
                       "AvgPool2d",           "AvgPool3d",
                       "AdaptiveAvgPool1d",   "AdaptiveAvgPool2d",
                       "AdaptiveAvgPool3d",   "Upsample"}},
      {Rule::kNormalized,
       {"instance_norm", "group_norm", "InstanceNorm1d", "InstanceNorm2d",
        "InstanceNorm3d", "GroupNorm"}},
      {Rule::kClamped,
       {"clamp", "clamp_", "hardtanh", "hardtanh_", "relu6", "Hardtanh", "ReLU6"}},
      {Rule::kRolled, {"roll"}},
      {Rule::kConcatenated, {"cat", "concat", "concatenate"}},
      {Rule::kStacked, {"stack"}},
      {Rule::kViewed, {"view", "view_as"}},
      {Rule::kReshaped, {"reshape", "reshape_as", "flatten", "unflatten", "Flatten"}},
      {Rule::kCopied,
       {"contiguous", "clone", "to", "float", "double", "half", "bfloat16", "int", "long",
        "bool"}},
      {Rule::kPermuted, {"permute"}},
      {Rule::kTransposed, {"transpose", "swapaxes", "t"}},
      {Rule::kUnsqueezed, {"unsqueeze", "unsqueeze_"}},
      {Rule::kSqueezed, {"squeeze", "squeeze_"}},
      {Rule::kSliced,
       {"getitem", "chunk", "split", "unbind", "narrow", "select", "expand",
        "expand_as"}},
      {Rule::kRowMajor, {"softmax",     "log_softmax",
                         "softmin",     "Softmax",
                         "LogSoftmax",  "Softmin",
                         "Softmax2d",   "logsigmoid",
                         "LogSigmoid",  "rrelu",
                         "RReLU",       "layer_norm",
                         "LayerNorm",   "linear",
                         "Linear",      "LinearReLU",
                         "Bilinear",    "matmul",
                         "bmm",         "mm",
                         "baddbmm",     "addmm",
                         "einsum",      "scaled_dot_product_attention",
                         "cumsum",      "cumprod",
                         "gather",      "index_select",
                         "masked_fill", "tril",
                         "triu",        "repeat",
                         "tile",        "repeat_interleave",
                         "isin",        "movedim",
                         "moveaxis",    "swapdims",
                         "rot90",       "GRUCell",
                         "RNNCell",     "mean",
                         "sum",         "amax",
                         "amin",        "prod",
                         "var",         "std",
                         "norm",        "logsumexp",
                         "median",      "all",
                         "any"}},
  };
  std::unordered_map<std::string_view, Rule> table;
  for (const auto& [rule, names] : rules) {
    for (const std::string_view name : names) table.emplace(name, rule);
  }
  return table;
}

}  // namespace

MemoryFormatRule MemoryFormatRuleOf(const std::string& operation) {
  static const auto* const table =
      new std::unordered_map<std::string_view, Rule>(Table());
  const std::string_view name =
      std::string_view(operation).substr(operation.rfind('.') + 1);
  const auto found = table->find(name);
  return found == table->end() ? Rule::kIterated : found->second;
}

}  // namespace qconform
