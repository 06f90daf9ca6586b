#include "reference/pt2e/aten_nodes.h"

#include <unordered_set>

namespace qconform {
namespace {

using Names = std::unordered_set<std::string>;

bool IsOneOf(const Node& node, const Names& names) {
  return node.op() == Op::kCallFunction && names.count(node.target()) > 0;
}

}  // namespace

bool IsCall(const Node& node, const char* target) {
  return node.op() == Op::kCallFunction && node.target() == target;
}

bool IsAtenConv(const Node& node) {
  static const auto* const names =
      new Names{"aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default",
                "aten.conv2d.padding", "aten.conv3d.default", "aten.conv3d.padding"};
  return IsOneOf(node, *names);
}

bool IsAtenConvTranspose(const Node& node) {
  static const auto* const names =
      new Names{"aten.conv_transpose1d.default", "aten.conv_transpose2d.input",
                "aten.conv_transpose3d.input"};
  return IsOneOf(node, *names);
}

bool IsAtenLinear(const Node& node) { return IsCall(node, "aten.linear.default"); }

bool IsAtenBatchNorm(const Node& node) {
  static const auto* const names =
      new Names{"aten.batch_norm.default", "aten._native_batch_norm_legit.default",
                "aten._native_batch_norm_legit_no_training.default",
                "aten.cudnn_batch_norm.default", "aten.miopen_batch_norm.default"};
  return IsOneOf(node, *names);
}

bool IsDecomposedQuantize(const Node& node) {
  static const auto* const names =
      new Names{"quantized_decomposed.quantize_per_tensor.default",
                "quantized_decomposed.quantize_per_tensor.tensor",
                "quantized_decomposed.quantize_per_channel.default"};
  return IsOneOf(node, *names);
}

bool IsDecomposedDequantize(const Node& node) {
  static const auto* const names =
      new Names{"quantized_decomposed.dequantize_per_tensor.default",
                "quantized_decomposed.dequantize_per_tensor.tensor",
                "quantized_decomposed.dequantize_per_channel.default"};
  return IsOneOf(node, *names);
}

bool IsSymbolicSize(const Node& node) {
  static const auto* const names =
      new Names{"aten.sym_size.default", "aten.sym_numel.default"};
  return IsOneOf(node, *names);
}

std::vector<Node*> ValueUsers(const Node& node) {
  std::vector<Node*> users;
  for (Node* user : node.users()) {
    if (!IsSymbolicSize(*user)) users.push_back(user);
  }
  return users;
}

Argument ArgumentAt(const Node& node, size_t position) {
  return position < node.args().size() ? node.args()[position] : Argument();
}

}  // namespace qconform
