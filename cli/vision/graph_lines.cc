#include "cli/vision/graph_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <unordered_map>

#include "reference/formats/json_value.h"
#include "reference/formats/sha256.h"

namespace qconform::vision {
namespace {

std::string ItemsText(const std::vector<Argument>& items) {
  std::vector<std::string> texts;
  for (const Argument& item : items) texts.push_back(ArgumentText(item));
  return fmt::format("{}", fmt::join(texts, ", "));
}

struct ToText {
  std::string operator()(std::monostate) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return RealText(value); }
  // Classes, dtypes and schemes stand bare.
  std::string operator()(const std::string& text) const {
    return text.starts_with("torch.") ? text : ordered_json(text).dump();
  }
  std::string operator()(const Node* node) const { return node->name(); }
  std::string operator()(const Sequence& sequence) const {
    const std::string items = ItemsText(sequence.items);
    return sequence.is_tuple ? "(" + items + ")" : "[" + items + "]";
  }
  std::string operator()(const Dictionary& dictionary) const {
    std::vector<std::string> texts;
    for (const auto& [key, item] : dictionary.items) {
      texts.push_back(key + ": " + ArgumentText(item));
    }
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
  }
  std::string operator()(const Slice& slice) const {
    return "slice(" + ItemsText(slice.bounds) + ")";
  }
  std::string operator()(DType dtype) const {
    return "torch." + std::string(DTypeName(dtype));
  }
  std::string operator()(const OpaqueValue& value) const { return value.text; }
};

// With `qparams` in place of the second and third argument, unless empty.
std::string NodeText(const Node& node, const std::string& qparams = "") {
  std::vector<std::string> arguments;
  for (const Argument& argument : node.args()) {
    arguments.push_back(ArgumentText(argument));
  }
  if (!qparams.empty()) {
    arguments[1] = qparams;
    arguments.erase(arguments.begin() + 2);
  }
  for (const auto& [key, argument] : node.kwargs()) {
    arguments.push_back(key + "=" + ArgumentText(argument));
  }
  return fmt::format("{} = {} {}({})", node.name(), OpName(node.op()), node.target(),
                     fmt::join(arguments, ", "));
}

bool IsPerTensor(const Node& node) {
  return node.target().starts_with("quantized_decomposed.") &&
         node.target().find("per_tensor") != std::string::npos && node.args().size() >= 3;
}

}  // namespace

std::string RealText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  // The shortest text that reads back, as Python's repr.
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string ArgumentText(const Argument& argument) {
  return std::visit(ToText(), argument.value);
}

std::string TensorText(const Tensor& tensor) {
  const std::string head =
      fmt::format("{}[{}]", DTypeName(tensor.dtype()), fmt::join(tensor.shape(), ","));
  if (tensor.numel() == 1) {
    const bool real = IsFloatingDType(tensor.dtype());
    return head + "=" +
           (real ? RealText(tensor.ValueAt(0)) : std::to_string(tensor.IntegerAt(0)));
  }
  const std::string digest = Sha256Hex(std::string_view(
      reinterpret_cast<const char*>(tensor.bytes()), tensor.byte_size()));
  return head + "#" + digest.substr(0, 12);
}

Lines GraphLines(const Graph& graph) {
  Lines lines;
  for (const Node& node : graph.nodes()) lines.push_back(NodeText(node));
  return lines;
}

DecomposedLines LinesOfDecomposed(const Graph& graph) {
  DecomposedLines lines;
  std::vector<std::string> pairs;
  std::unordered_map<const Node*, size_t> numbers;
  for (const Node& node : graph.nodes()) {
    if (!IsPerTensor(node)) {
      lines.graph.push_back(NodeText(node));
      continue;
    }
    std::string pair = ArgumentText(node.args()[1]) + ", " + ArgumentText(node.args()[2]);
    const auto source = numbers.find(node.args()[0].AsNode());
    size_t number = pairs.size();
    if (source != numbers.end() && pairs[source->second] == pair) {
      number = source->second;
    } else {
      lines.qparams.push_back(fmt::format("q{} = {}", number, pair));
      pairs.push_back(std::move(pair));
    }
    numbers[&node] = number;
    lines.graph.push_back(NodeText(node, "q" + std::to_string(number)));
  }
  return lines;
}

Lines AttributeLines(const GraphModule& module) {
  Lines lines;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() != Op::kGetAttr) continue;
    const Tensor* tensor = module.FindTensor(node.target());
    lines.push_back(node.target() + " = " +
                    (tensor == nullptr ? "absent" : TensorText(*tensor)));
  }
  return lines;
}

}  // namespace qconform::vision
