#include "reference/config/python_repr.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "reference/config/class_module.h"
#include "reference/config/human_readable.h"

namespace qconform {
namespace {

constexpr std::string_view kFunctional = "torch.nn.functional.";

// Functions of torch.nn.functional that are those of torch itself, or of torch._C._nn.
constexpr std::array<std::string_view, 22> kOfTorch = {"adaptive_avg_pool1d",
                                                       "avg_pool1d",
                                                       "bilinear",
                                                       "celu_",
                                                       "channel_shuffle",
                                                       "conv1d",
                                                       "conv2d",
                                                       "conv3d",
                                                       "conv_tbc",
                                                       "conv_transpose1d",
                                                       "conv_transpose2d",
                                                       "conv_transpose3d",
                                                       "cosine_similarity",
                                                       "hardshrink",
                                                       "native_channel_shuffle",
                                                       "pairwise_distance",
                                                       "pdist",
                                                       "pixel_shuffle",
                                                       "pixel_unshuffle",
                                                       "prelu",
                                                       "relu_",
                                                       "selu_"};
constexpr std::array<std::string_view, 11> kOfLibrary = {
    "avg_pool2d", "avg_pool3d", "elu_",    "gelu",     "hardtanh_", "leaky_relu_",
    "linear",     "logsigmoid", "one_hot", "softplus", "softshrink"};
// Functions of torch that are written in Python.
constexpr std::array<std::string_view, 19> kPythonInTorch = {"atleast_1d",
                                                             "atleast_2d",
                                                             "atleast_3d",
                                                             "block_diag",
                                                             "broadcast_shapes",
                                                             "broadcast_tensors",
                                                             "cartesian_prod",
                                                             "cdist",
                                                             "chain_matmul",
                                                             "einsum",
                                                             "lu",
                                                             "meshgrid",
                                                             "norm",
                                                             "split",
                                                             "stft",
                                                             "tensordot",
                                                             "unique",
                                                             "unique_consecutive",
                                                             "unravel_index"};

template <size_t N>
bool Contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string Quoted(const std::string& text) {
  const bool has_single = text.find('\'') != std::string::npos;
  const char quote = has_single && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') result += '\\';
    result += c;
  }
  return result + quote;
}

std::string DTypeRepr(const std::optional<DType>& dtype) {
  return dtype ? "torch." + std::string(DTypeName(*dtype)) : "None";
}

std::string Repr(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "None";
}

std::string Repr(const std::optional<double>& value) {
  return value ? PythonRepr(*value) : "None";
}

std::string Joined(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + items[i];
  return text;
}

}  // namespace

std::string PythonRepr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string PythonRepr(const Argument& value) {
  if (value.IsNone()) return "None";
  if (const bool* flag = value.As<bool>()) return *flag ? "True" : "False";
  if (const int64_t* integer = value.As<int64_t>()) return std::to_string(*integer);
  if (const double* real = value.As<double>()) return PythonRepr(*real);
  if (const std::string* text = value.As<std::string>()) return Quoted(*text);
  if (const DType* dtype = value.As<DType>()) return DTypeRepr(*dtype);
  if (const OpaqueValue* opaque = value.As<OpaqueValue>()) return opaque->text;
  if (const Sequence* sequence = value.As<Sequence>()) {
    std::vector<std::string> items;
    for (const Argument& item : sequence->items) items.push_back(PythonRepr(item));
    if (!sequence->is_tuple) return "[" + Joined(items) + "]";
    return "(" + Joined(items) + (items.size() == 1 ? ",)" : ")");
  }
  return "?";
}

std::string PythonClassRepr(const std::string& canonical_name) {
  return "<class '" + DefinedName(canonical_name) + "'>";
}

std::string PythonFunctionRepr(const std::string& canonical_name) {
  // A function inside another one has that one's name before its own.
  if (const size_t local = canonical_name.find(".<locals>.");
      local != std::string::npos) {
    const size_t outer = canonical_name.rfind('.', local - 1);
    return "<function " + canonical_name.substr(outer + 1) + ">";
  }
  const std::string name = canonical_name.substr(canonical_name.rfind('.') + 1);
  const auto of_torch = [&name] {
    return "<built-in method " + name + " of type object>";
  };
  const std::string built_in = "<built-in function " + name + ">";
  const std::string python = "<function " + name + ">";
  if (canonical_name.starts_with(kFunctional)) {
    if (IsBooleanDispatch(canonical_name))
      return "<function boolean_dispatch.<locals>.fn>";
    if (Contains(kOfTorch, name)) return of_torch();
    if (name == "logsigmoid") return "<built-in function log_sigmoid>";
    return Contains(kOfLibrary, name) ? built_in : python;
  }
  if (canonical_name.starts_with("operator.") ||
      canonical_name.starts_with("builtins.") ||
      canonical_name.starts_with("torch._C._nn.")) {
    return built_in;
  }
  if (canonical_name == "torch." + name) {
    return Contains(kPythonInTorch, name) ? python : of_torch();
  }
  // "aten.add.Tensor"
  if (canonical_name.starts_with("aten.") || canonical_name.starts_with("quantized")) {
    const size_t overload = canonical_name.rfind('.');
    return "<OpOverload(op='" + canonical_name.substr(0, overload) + "', overload='" +
           canonical_name.substr(overload + 1) + "')>";
  }
  return python;
}

std::string PythonRepr(const Pattern& pattern) {
  switch (pattern.kind()) {
    case Pattern::Kind::kMatchAll:
      return "<class 'torch.ao.quantization.utils.MatchAllNode'>";
    case Pattern::Kind::kModule:
      return PythonClassRepr(pattern.name());
    case Pattern::Kind::kFunction:
      return PythonFunctionRepr(pattern.name());
    case Pattern::Kind::kMethod:
      return Quoted(pattern.name());
    case Pattern::Kind::kLiteral:
      return PythonRepr(pattern.literal());
    case Pattern::Kind::kTuple:
      break;
  }
  std::vector<std::string> items;
  for (const Pattern& item : pattern.items()) items.push_back(PythonRepr(item));
  return "(" + Joined(items) + (items.size() == 1 ? ",)" : ")");
}

std::string PythonRepr(const DTypeWithConstraints& dtype) {
  return fmt::format(
      "DTypeWithConstraints(dtype={}, quant_min_lower_bound={}, "
      "quant_max_upper_bound={}, scale_min_lower_bound={}, scale_max_upper_bound={}, "
      "scale_exact_match={}, zero_point_exact_match={})",
      DTypeRepr(dtype.dtype), Repr(dtype.quant_min_lower_bound),
      Repr(dtype.quant_max_upper_bound), Repr(dtype.scale_min_lower_bound),
      Repr(dtype.scale_max_upper_bound), Repr(dtype.scale_exact_match),
      Repr(dtype.zero_point_exact_match));
}

std::string PythonRepr(const DTypeConfig& config) {
  const auto dynamic = config.is_dynamic;
  return fmt::format(
      "DTypeConfig(input_dtype_with_constraints={}, output_dtype_with_constraints={}, "
      "weight_dtype_with_constraints={}, bias_dtype={}, is_dynamic={})",
      PythonRepr(config.input_dtype), PythonRepr(config.output_dtype),
      PythonRepr(config.weight_dtype), DTypeRepr(config.bias_dtype),
      !dynamic   ? "None"
      : *dynamic ? "True"
                 : "False");
}

}  // namespace qconform
