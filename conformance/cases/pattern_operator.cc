#include "conformance/cases/pattern_operator.h"

#include <unordered_map>
#include <vector>

namespace qconform {
namespace {

// The last part of a dotted name of torch, of aten the one before the overload ->
// operator, "+" what it fuses. Empty: stands for no operator of its own.
const std::unordered_map<std::string_view, std::string_view>& OperatorOfLeaf() {
  static const auto* table = new std::unordered_map<std::string_view, std::string_view>{
      {"Conv1d", "conv1d"},
      {"Conv2d", "conv2d"},
      {"Conv3d", "conv3d"},
      {"conv1d", "conv1d"},
      {"conv2d", "conv2d"},
      {"conv3d", "conv3d"},
      {"ConvReLU1d", "conv1d+relu"},
      {"ConvReLU2d", "conv2d+relu"},
      {"ConvReLU3d", "conv3d+relu"},
      {"ConvAdd2d", "conv2d+residual"},
      {"ConvAddReLU2d", "conv2d+residual+relu"},
      {"convolution", "conv"},
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
      {"addmm", "linear"},
      {"mm", "linear"},
      {"LinearReLU", "linear+relu"},
      {"LinearLeakyReLU", "linear+leaky_relu"},
      {"LinearTanh", "linear+tanh"},
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
      {"leaky_relu_", "leaky_relu"},
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
      {"add_", "add"},
      {"sub", "sub"},
      {"mul", "mul"},
      {"imul", "mul"},
      {"matmul", "matmul"},
      {"max_pool2d_with_indices", "max_pool2d"},
      {"getitem", ""},
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
      {"concat", "concat"},
      {"concatenate", "concat"},
      {"interpolate", "upsample"},
      {"PixelShuffle", "pixel_shuffle"},
      {"pixel_shuffle", "pixel_shuffle"},
      {"PixelUnshuffle", "pixel_unshuffle"},
      {"pixel_unshuffle", "pixel_unshuffle"},
      {"Embedding", "embedding"},
      {"embedding", "embedding"},
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
      {"permute_copy", "transpose"},
      {"narrow", "slice"},
      {"pad", "pad"},
      {"ConstantPad2d", "pad"},
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

// "aten.add.Tensor" -> "add", "torch.nn.Linear" -> "Linear"
std::string_view LeafOf(std::string_view name) {
  if (name.starts_with("aten.")) name = name.substr(0, name.rfind('.'));
  // All of it where there is no dot.
  return name.substr(name.rfind('.') + 1);
}

bool TakesWeight(std::string_view name) {
  return name.starts_with("conv") || name == "linear";
}

struct FusedWord {
  std::string_view word;
  int32_t activation;
};

constexpr FusedWord kActivations[] = {{"relu", QC_ACTIVATION_RELU},
                                      {"leaky_relu", QC_ACTIVATION_LEAKY_RELU},
                                      {"tanh", QC_ACTIVATION_TANH}};

// False: no word of what fuses behind an operator.
bool Fuse(std::string_view word, PatternOperator& result) {
  if (word == "residual") return result.residual = true;
  for (const FusedWord& each : kActivations) {
    if (each.word != word) continue;
    result.activation = each.activation;
    return true;
  }
  return false;
}

// Fuses what stands behind each "+" and gives what stands before: "conv2d+residual+relu".
std::string_view TakeFused(std::string_view words, PatternOperator& result) {
  for (size_t plus = words.rfind('+'); plus != std::string_view::npos;
       plus = words.rfind('+')) {
    Fuse(words.substr(plus + 1), result);
    words = words.substr(0, plus);
  }
  return words;
}

}  // namespace

std::string PatternOperator::Name() const {
  std::string text(name);
  for (const FusedWord& each : kActivations)
    if (each.activation == activation) text += "." + std::string(each.word);
  return text + (residual ? ".residual" : "");
}

std::optional<PatternOperator> OperatorOf(const Pattern& pattern) {
  std::vector<std::string_view> words;
  CollectAtoms(pattern, words);
  PatternOperator result;
  bool weighted = false;
  for (std::string_view& word : words) {
    const auto found = OperatorOfLeaf().find(LeafOf(word));
    if (found == OperatorOfLeaf().end()) return std::nullopt;
    word = TakeFused(found->second, result);
    weighted |= TakesWeight(word);
  }
  std::erase(words, std::string_view());
  for (const std::string_view word : words) {
    if (words.size() > 1 && Fuse(word, result)) continue;
    if (weighted && word == "batch_norm") continue;
    if (weighted && word == "add") {
      result.residual = true;
    } else if (result.name.empty()) {
      result.name = word;
    } else {
      return std::nullopt;
    }
  }
  if (result.name.empty()) return std::nullopt;
  return result;
}

bool Computes(const PatternOperator& row, const OperatorCall& call) {
  if (row.activation != call.attributes.activation ||
      row.residual != (call.attributes.residual != 0))
    return false;
  return (row.name == "conv" && call.kind == QC_CONV) ||
         row.name == OperatorName(call.kind, call.attributes);
}

}  // namespace qconform
