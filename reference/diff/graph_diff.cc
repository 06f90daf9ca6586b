#include "reference/diff/graph_diff.h"

#include <fmt/format.h>

#include <map>

#include "reference/ir/module_difference.h"

namespace qconform {
namespace {

// As deep as an argument is nested, which the readers bound.
std::string ArgumentText(const Argument& argument) {
  if (const Node* node = argument.AsNode()) return node->name();
  const Sequence* sequence = argument.As<Sequence>();
  if (sequence == nullptr) return DescribeArgument(argument);
  std::string text;
  for (const Argument& item : sequence->items) {
    text += (text.empty() ? "" : ", ") + ArgumentText(item);
  }
  return (sequence->is_tuple ? "(" : "[") + text + (sequence->is_tuple ? ")" : "]");
}

std::string Operation(const GraphModule& module, const Node& node) {
  if (node.op() != Op::kCallModule) {
    return node.op() == Op::kCallFunction || node.op() == Op::kCallMethod
               ? node.target()
               : OpName(node.op());
  }
  const std::shared_ptr<Module> called = module.FindModule(node.target());
  return called == nullptr ? node.target() : called->type;
}

}  // namespace

std::string NodeLine(const GraphModule& module, const Node& node) {
  std::string arguments;
  for (const Argument& argument : node.args()) {
    arguments += (arguments.empty() ? "" : ", ") + ArgumentText(argument);
  }
  for (const auto& [key, value] : node.kwargs()) {
    arguments += (arguments.empty() ? "" : ", ") + key + "=" + ArgumentText(value);
  }
  std::string path;
  if (node.op() == Op::kCallModule || node.op() == Op::kGetAttr) {
    path = " [" + node.target() + "]";
  }
  return fmt::format("{} = {}{} ({})", node.name(), Operation(module, node), path,
                     arguments);
}

std::string DiffGraphs(const GraphModule& a, const GraphModule& b,
                       const IsomorphismOptions& options) {
  const std::optional<GraphDifference> first = FindFirstDifference(a, b, options);
  if (!first) return "";
  std::string text = "first difference: " + first->text + "\n";
  if (first->a != nullptr) text += "< " + NodeLine(a, *first->a) + "\n";
  if (first->b != nullptr) text += "> " + NodeLine(b, *first->b) + "\n";
  std::map<std::string, int64_t> counts;
  for (const Node& node : a.graph.nodes()) --counts[Operation(a, node)];
  for (const Node& node : b.graph.nodes()) ++counts[Operation(b, node)];
  for (const auto& [operation, count] : counts) {
    if (count == 0) continue;
    text += fmt::format("{} {} node{} of {}\n", count < 0 ? "<" : ">", std::abs(count),
                        std::abs(count) == 1 ? "" : "s", operation);
  }
  return text + fmt::format("graph   {} nodes, {} nodes\n", a.graph.nodes().size(),
                            b.graph.nodes().size());
}

}  // namespace qconform
