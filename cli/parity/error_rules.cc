#include "cli/parity/error_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "cli/parity/error_bound.h"
#include "cli/parity/scale_error.h"

namespace qconform::parity {

double Gamma(double terms) { return terms * kUnit / (1 - terms * kUnit); }

ErrorRule RuleOf(const std::string& operation) {
  static const std::map<std::string, ErrorRule> rules = [] {
    std::map<std::string, ErrorRule> table;
    for (const char* name : {"view",
                             "reshape",
                             "flatten",
                             "permute",
                             "transpose",
                             "unsqueeze",
                             "squeeze",
                             "contiguous",
                             "cat",
                             "concat",
                             "stack",
                             "chunk",
                             "split",
                             "getitem",
                             "repeat",
                             "expand",
                             "detach",
                             "clone",
                             "dropout",
                             "Dropout",
                             "Dropout2d",
                             "Dropout3d",
                             "Identity",
                             "Flatten",
                             "max_pool1d",
                             "max_pool2d",
                             "max_pool3d",
                             "MaxPool1d",
                             "MaxPool2d",
                             "MaxPool3d",
                             "adaptive_max_pool1d",
                             "adaptive_max_pool2d",
                             "AdaptiveMaxPool2d",
                             "pixel_shuffle",
                             "PixelShuffle",
                             "unsqueeze_",
                             "squeeze_",
                             "repeat_interleave",
                             "pad",
                             "Sequential"}) {
      table[name] = ErrorRule::kMove;
    }
    for (const char* name :
         {"relu",        "relu_",       "ReLU",         "relu6",       "ReLU6",
          "hardtanh",    "hardtanh_",   "Hardtanh",     "clamp",       "leaky_relu",
          "leaky_relu_", "LeakyReLU",   "PReLU",        "prelu",       "elu",
          "ELU",         "hardswish",   "Hardswish",    "sigmoid",     "sigmoid_",
          "Sigmoid",     "hardsigmoid", "hardsigmoid_", "Hardsigmoid", "tanh",
          "tanh_",       "Tanh",        "softmax",      "Softmax",     "gelu",
          "GELU",        "silu",        "SiLU",         "neg",         "abs"}) {
      table[name] = ErrorRule::kLipschitz;
    }
    for (const char* name : {"add",
                             "iadd",
                             "add_",
                             "mul",
                             "imul",
                             "mul_",
                             "matmul",
                             "bmm",
                             "mean",
                             "sum",
                             "addmm",
                             "linear",
                             "conv1d",
                             "conv2d",
                             "conv3d",
                             "conv_transpose1d",
                             "conv_transpose2d",
                             "conv_transpose3d",
                             "Linear",
                             "Conv1d",
                             "Conv2d",
                             "Conv3d",
                             "ConvTranspose1d",
                             "ConvTranspose2d",
                             "ConvTranspose3d",
                             "avg_pool1d",
                             "avg_pool2d",
                             "avg_pool3d",
                             "AvgPool1d",
                             "AvgPool2d",
                             "AvgPool3d",
                             "adaptive_avg_pool1d",
                             "adaptive_avg_pool2d",
                             "adaptive_avg_pool3d",
                             "AdaptiveAvgPool1d",
                             "AdaptiveAvgPool2d",
                             "AdaptiveAvgPool3d"}) {
      table[name] = ErrorRule::kMonotone;
    }
    for (const char* name :
         {"layer_norm", "LayerNorm", "group_norm", "GroupNorm", "instance_norm",
          "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"}) {
      table[name] = ErrorRule::kNormalize;
    }
    table["normalize"] = ErrorRule::kUnitVector;
    for (const char* name : {"RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"}) {
      table[name] = ErrorRule::kRecurrent;
    }
    for (const char* name :
         {"softplus",   "Softplus",    "mish",       "Mish",       "celu",
          "CELU",       "selu",        "SELU",       "logsigmoid", "LogSigmoid",
          "softsign",   "Softsign",    "tanhshrink", "Tanhshrink", "softshrink",
          "Softshrink", "exp",         "log",        "sqrt",       "rsqrt",
          "reciprocal", "log_softmax", "LogSoftmax", "sin",        "cos",
          "atan",       "arctan",      "erf",        "log1p",      "expm1",
          "pow",        "square",      "clip",       "clamp_",     "Softmax2d"}) {
      table[name] = ErrorRule::kLipschitz;
    }
    for (const char* name : {"narrow",
                             "unbind",
                             "expand",
                             "expand_as",
                             "view_as",
                             "reshape_as",
                             "t",
                             "PixelUnshuffle",
                             "pixel_unshuffle",
                             "tuple",
                             "QuantStub",
                             "DeQuantStub",
                             "flip",
                             "roll",
                             "select",
                             "index_select",
                             "gather",
                             "take_along_dim",
                             "masked_fill",
                             "where",
                             "tile",
                             "movedim",
                             "moveaxis",
                             "swapaxes",
                             "swapdims",
                             "unflatten",
                             "Unflatten",
                             "rot90",
                             "hstack",
                             "vstack",
                             "dstack",
                             "concatenate",
                             "tril",
                             "triu",
                             "diagonal",
                             "dropout1d",
                             "dropout2d",
                             "dropout3d",
                             "Dropout1d",
                             "channel_shuffle",
                             "ChannelShuffle",
                             "adaptive_max_pool3d",
                             "AdaptiveMaxPool1d",
                             "AdaptiveMaxPool3d",
                             "UpsamplingNearest2d",
                             "ReflectionPad1d",
                             "ReflectionPad2d",
                             "ReflectionPad3d",
                             "ReplicationPad1d",
                             "ReplicationPad2d",
                             "ReplicationPad3d",
                             "CircularPad1d",
                             "CircularPad2d",
                             "CircularPad3d",
                             "ZeroPad1d",
                             "ZeroPad2d",
                             "ZeroPad3d",
                             "ConstantPad1d",
                             "ConstantPad2d",
                             "ConstantPad3d"}) {
      table[name] = ErrorRule::kMove;
    }
    for (const char* name :
         {"max", "min", "amax", "amin", "maximum", "minimum", "fmax", "fmin"}) {
      table[name] = ErrorRule::kExtreme;
    }
    for (const char* name : {"glu", "GLU"}) table[name] = ErrorRule::kGate;
    for (const char* name : {"interpolate", "Upsample", "UpsamplingBilinear2d"}) {
      table[name] = ErrorRule::kMonotone;
    }
    for (const char* name : {"sub", "isub", "div", "truediv"}) {
      table[name] = ErrorRule::kDifference;
    }
    return table;
  }();
  const auto found = rules.find(operation);
  return found == rules.end() ? ErrorRule::kUnknown : found->second;
}

double LipschitzConstant(const std::string& operation) {
  // Suprema of the derivatives: gelu's lies at sqrt(2), silu's at about 2.4.
  static const std::map<std::string, double> constants = {
      {"hardswish", 1.5}, {"Hardswish", 1.5}, {"gelu", 1.13},   {"GELU", 1.13},
      {"silu", 1.1},      {"SiLU", 1.1},      {"mish", 1.1},    {"Mish", 1.1},
      {"selu", 1.76},     {"SELU", 1.76},     {"softmax", 2},   {"Softmax", 2},
      {"log_softmax", 2}, {"LogSoftmax", 2},  {"Softmax2d", 2}, {"erf", 1.13}};
  const auto found = constants.find(operation);
  return found == constants.end() ? 1 : found->second;
}

Tensor AbsoluteWithError(const Tensor& x, const Tensor* error) {
  Tensor result(DType::kFloat32, x.shape());
  float* out = result.data<float>();
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double e = error == nullptr ? 0 : static_cast<double>(error->data<float>()[i]);
    const double size = std::fabs(x.ValueAt(i));
    out[i] = error == nullptr ? static_cast<float>(size) : RoundedUp(size + e);
  }
  return result;
}

Tensor Absolute(const Tensor& x) { return AbsoluteWithError(x, nullptr); }

Tensor GapWithRounding(const Tensor& a, const Tensor& b, double factor) {
  Tensor result(DType::kFloat32, a.shape());
  for (int64_t i = 0; i < a.numel(); ++i) {
    const double x = a.ValueAt(i);
    result.data<float>()[i] =
        RoundedUp(std::max(x - b.ValueAt(i), 0.0) + factor * std::fabs(x));
  }
  return result;
}

Tensor NormalizeError(const Tensor& x, const Tensor& y, const Tensor* error,
                      double largest_weight, double largest_bias,
                      const NormGroups& groups) {
  Tensor result(DType::kFloat32, x.shape());
  const int64_t n = groups.group_size;
  for (int64_t begin = 0; begin < x.numel(); begin += n) {
    double largest = 0, e = 0, mean = 0, deviation = 0, variance = 0;
    for (int64_t i = begin; i < begin + n; ++i) {
      largest = std::max(largest, std::fabs(x.ValueAt(i)));
      if (error != nullptr) e = std::max(e, error->ValueAt(i));
      mean += x.ValueAt(i) / static_cast<double>(n);
    }
    for (int64_t i = begin; i < begin + n; ++i) {
      const double d = std::fabs(x.ValueAt(i) - mean);
      deviation = std::max(deviation, d);
      variance += d * d / static_cast<double>(n);
    }
    const double terms = static_cast<double>(n);
    const double mean_error = e + Gamma(terms) * largest;
    const double variance_error =
        2 * deviation * (e + mean_error) + Gamma(terms + 2) * deviation * deviation;
    const double scale = 1 / std::sqrt(variance + groups.eps);
    for (int64_t i = begin; i < begin + n; ++i) {
      const double own = error == nullptr ? 0 : error->ValueAt(i);
      result.data<float>()[i] = RoundedUp(
          largest_weight * scale *
              (own + mean_error + deviation * variance_error / (variance + groups.eps)) +
          8 * kUnit * (std::fabs(y.ValueAt(i)) + largest_bias));
    }
  }
  return result;
}

Tensor UnitVectorError(const Tensor& x, const Tensor& y, const Tensor* error) {
  double length = std::numeric_limits<double>::infinity();
  double largest = 0;
  for (int64_t i = 0; i < y.numel(); ++i) {
    if (y.ValueAt(i) != 0) {
      length = std::min(length, std::fabs(x.ValueAt(i) / y.ValueAt(i)));
    }
    if (error != nullptr) largest = std::max(largest, error->ValueAt(i));
  }
  const auto elements = static_cast<double>(x.numel());
  Tensor result(DType::kFloat32, y.shape());
  for (int64_t i = 0; i < y.numel(); ++i) {
    const double own = error == nullptr ? 0 : error->ValueAt(i);
    const double size = std::fabs(y.ValueAt(i));
    result.data<float>()[i] =
        RoundedUp((own + size * std::sqrt(elements) * largest) / length +
                  (Gamma(elements + 2) + 4 * kUnit) * size);
  }
  return result;
}

Tensor GateError(const Tensor& x, const Tensor& y, const Tensor* error, int axis) {
  int64_t half = 1;  // elements from the axis on
  for (int i = axis < 0 ? axis + y.rank() : axis; i < y.rank(); ++i) half *= y.dim(i);
  constexpr double kRounding = 16 * kUnit;
  Tensor result(DType::kFloat32, y.shape());
  for (int64_t i = 0; i < y.numel(); ++i) {
    const int64_t a = i / half * 2 * half + i % half;
    const double a_error = error == nullptr ? 0 : error->ValueAt(a);
    const double b_error = error == nullptr ? 0 : error->ValueAt(a + half);
    result.data<float>()[i] =
        RoundedUp(a_error + (std::fabs(x.ValueAt(a)) + a_error) * b_error / 4 +
                  kRounding * std::fabs(y.ValueAt(i)));
  }
  return result;
}

Tensor FakeQuantizeError(const Tensor& x, const Tensor& y, const Tensor& error,
                         double scale, double steps) {
  double largest = 0;
  for (int64_t i = 0; i < error.numel(); ++i) {
    largest = std::max(largest, error.ValueAt(i));
  }
  const double scale_error = ScaleError(largest, steps, scale);
  Tensor result(DType::kFloat32, x.shape());
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double code = x.ValueAt(i) / scale;
    const double reach = error.ValueAt(i) / scale + std::fabs(code) * scale_error / scale;
    const bool may_move = std::fabs(code - std::floor(code) - 0.5) <= reach;
    result.data<float>()[i] =
        RoundedUp((may_move ? scale : 0) + std::fabs(y.ValueAt(i)) / scale * scale_error);
  }
  return result;
}

}  // namespace qconform::parity
