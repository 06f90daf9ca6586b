#include "reference/native/special_operators.h"

#include <vector>

namespace qconform {
namespace {

void Add(SpecialKinds& kinds, SpecialKind kind, const std::string& prefix,
         const std::vector<std::string>& names) {
  for (const std::string& name : names) kinds.emplace(prefix + name, kind);
}

SpecialKind Find(const SpecialKinds& kinds, const std::string& name) {
  const auto found = kinds.find(name);
  return found == kinds.end() ? SpecialKind::kNone : found->second;
}

}  // namespace

const SpecialKinds& SpecialFunctions() {
  static const auto* functions = [] {
    auto* kinds = new SpecialKinds;
    const std::string nn = "torch.nn.functional.";
    Add(*kinds, SpecialKind::kFixedQparams, nn, {"hardsigmoid", "sigmoid"});
    Add(*kinds, SpecialKind::kFixedQparams, "torch.", {"sigmoid", "tanh"});
    Add(*kinds, SpecialKind::kDefault, nn,
        {"elu", "hardswish", "instance_norm", "layer_norm", "leaky_relu", "dropout"});
    Add(*kinds, SpecialKind::kCopy, nn,
        {"adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "hardtanh",
         "hardtanh_", "interpolate", "max_pool1d", "max_pool2d", "max_pool3d", "relu",
         "relu6", "avg_pool1d", "avg_pool2d", "avg_pool3d"});
    Add(*kinds, SpecialKind::kCopy, "torch.",
        {"adaptive_avg_pool1d", "avg_pool1d", "clamp", "flatten", "mean",
         "channel_shuffle"});
    Add(*kinds, SpecialKind::kCopy, nn, {"channel_shuffle"});
    Add(*kinds, SpecialKind::kCopy, "operator.", {"floordiv"});
    Add(*kinds, SpecialKind::kShape, "torch.",
        {"narrow", "transpose", "repeat_interleave", "squeeze", "stack", "unsqueeze",
         "pixel_shuffle", "pixel_unshuffle"});
    Add(*kinds, SpecialKind::kShape, nn, {"pixel_shuffle", "pixel_unshuffle"});
    Add(*kinds, SpecialKind::kOther, "torch.", {"cat"});
    return kinds;
  }();
  return *functions;
}

const SpecialKinds& SpecialMethods() {
  static const auto* methods = [] {
    auto* kinds = new SpecialKinds;
    Add(*kinds, SpecialKind::kFixedQparams, "",
        {"hardsigmoid", "hardsigmoid_", "sigmoid", "sigmoid_", "tanh", "tanh_"});
    Add(*kinds, SpecialKind::kCopy, "", {"clamp", "mean", "relu", "relu_"});
    Add(*kinds, SpecialKind::kShape, "",
        {"contiguous", "detach", "detach_", "permute", "repeat", "repeat_interleave",
         "reshape", "resize_", "shape", "size", "squeeze", "squeeze_", "transpose",
         "unsqueeze", "unsqueeze_", "view"});
    return kinds;
  }();
  return *methods;
}

const SpecialKinds& SpecialModules() {
  static const auto* modules = [] {
    auto* kinds = new SpecialKinds;
    const std::string nn = "torch.nn.";
    Add(*kinds, SpecialKind::kFixedQparams, nn,
        {"Hardsigmoid", "Sigmoid", "Tanh", "Softmax"});
    Add(*kinds, SpecialKind::kDefault, "torch.ao.nn.quantized.reference.",
        {"ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"});
    Add(*kinds, SpecialKind::kDefault, nn,
        {"ELU", "LeakyReLU", "Hardswish", "InstanceNorm1d", "InstanceNorm2d",
         "InstanceNorm3d", "LayerNorm", "Dropout", "PReLU", "BatchNorm2d",
         "BatchNorm3d"});
    Add(*kinds, SpecialKind::kDefault, "torch.ao.nn.intrinsic.",
        {"BNReLU2d", "BNReLU3d"});
    Add(*kinds, SpecialKind::kCopy, nn,
        {"AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AvgPool1d",
         "AvgPool2d", "AvgPool3d", "Hardtanh", "MaxPool1d", "MaxPool2d", "MaxPool3d",
         "ReLU", "ReLU6", "ChannelShuffle"});
    Add(*kinds, SpecialKind::kShape, nn, {"Identity", "PixelShuffle", "PixelUnshuffle"});
    return kinds;
  }();
  return *modules;
}

SpecialKind SpecialKindOf(const Node& node, const std::string& module_type) {
  switch (node.op()) {
    case Op::kCallFunction:
      return Find(SpecialFunctions(), node.target());
    case Op::kCallMethod:
      return Find(SpecialMethods(), node.target());
    case Op::kCallModule:
      return Find(SpecialModules(), module_type);
    default:
      return SpecialKind::kNone;
  }
}

std::string QuantizedClassOf(const std::string& module_type) {
  const SpecialKind kind = Find(SpecialModules(), module_type);
  const std::string name = module_type.substr(module_type.rfind('.') + 1);
  if (kind == SpecialKind::kDefault) {
    return name.starts_with("BNReLU") ? "torch.ao.nn.intrinsic.quantized." + name
                                      : "torch.ao.nn.quantized." + name;
  }
  return name == "Softmax" && kind == SpecialKind::kFixedQparams
             ? "torch.ao.nn.quantized.Softmax"
             : "";
}

}  // namespace qconform
