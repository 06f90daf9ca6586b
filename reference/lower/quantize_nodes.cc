#include "reference/lower/quantize_nodes.h"

namespace qconform {
namespace {

constexpr char kDecomposed[] = "quantized_decomposed.quantize_per_tensor.default";

std::optional<double> Real(const Argument& argument) {
  if (const double* real = argument.As<double>()) return *real;
  if (const int64_t* integer = argument.As<int64_t>()) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

bool IsDecomposedPerTensor(const Node& node) {
  return node.op() == Op::kCallFunction && node.target() == kDecomposed &&
         node.args().size() >= 5;
}

}  // namespace

bool IsQuantizeNode(const Node& node) {
  if (node.op() != Op::kCallFunction) return false;
  return node.target() == "torch.quantize_per_tensor" ||
         node.target() == "torch.quantize_per_channel" || node.target() == kDecomposed ||
         node.target() == "quantized_decomposed.quantize_per_channel.default";
}

bool IsDequantizeNode(const Node& node) {
  if (node.op() == Op::kCallMethod) return node.target() == "dequantize";
  return node.op() == Op::kCallFunction &&
         (node.target() == "torch.dequantize" ||
          node.target() == "quantized_decomposed.dequantize_per_tensor.default" ||
          node.target() == "quantized_decomposed.dequantize_per_channel.default");
}

bool IsDynamicQuantizeNode(const Node& node) {
  return node.op() == Op::kCallFunction &&
         node.target() == "torch.quantize_per_tensor_dynamic";
}

const Node* QuantizedInput(const Node& node) {
  return node.args().empty() ? nullptr : node.args()[0].AsNode();
}

std::optional<QuantizationParameters> LiteralQuantization(const Node& node) {
  if (!IsDecomposedPerTensor(node)) return std::nullopt;
  const std::optional<double> scale = Real(node.args()[1]);
  const std::optional<double> zero_point = Real(node.args()[2]);
  if (!scale || !zero_point) return std::nullopt;
  return QuantizationParameters{{*scale}, {*zero_point}, -1};
}

std::optional<LiteralCodeBounds> LiteralBounds(const Node& node) {
  if (!IsDecomposedPerTensor(node)) return std::nullopt;
  const int64_t* min = node.args()[3].As<int64_t>();
  const int64_t* max = node.args()[4].As<int64_t>();
  if (min == nullptr || max == nullptr) return std::nullopt;
  return LiteralCodeBounds{static_cast<int32_t>(*min), static_cast<int32_t>(*max)};
}

}  // namespace qconform
