#include "reference/lower/example_values.h"

#include <algorithm>

#include "reference/ir/error.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

// The value as a graph argument; nullopt if there is a tensor in it.
std::optional<Argument> AsArgument(const Value& value) {
  if (value.IsNone()) return Argument();
  if (const bool* flag = value.As<bool>()) return Argument(*flag);
  if (const int64_t* integer = value.As<int64_t>()) return Argument(*integer);
  if (const double* real = value.As<double>()) return Argument(*real);
  if (const std::string* text = value.As<std::string>()) return Argument(*text);
  if (const DType* dtype = value.As<DType>()) return Argument(*dtype);
  if (const OpaqueValue* opaque = value.As<OpaqueValue>()) return Argument(*opaque);
  const ValueSequence* sequence = value.As<ValueSequence>();
  if (sequence == nullptr) return std::nullopt;
  Sequence items;
  items.is_tuple = sequence->is_tuple;
  for (const Value& item : sequence->items) {
    std::optional<Argument> argument = AsArgument(item);
    if (!argument) return std::nullopt;
    items.items.push_back(std::move(*argument));
  }
  return Argument(std::move(items));
}

// Reads a tensor's shape or kind and none of its elements.
bool AsksForShape(const Node& node) {
  static const char* const kMethods[] = {"size", "dim", "numel", "ndimension"};
  if (node.op() == Op::kCallMethod) {
    return std::any_of(std::begin(kMethods), std::end(kMethods),
                       [&](const char* method) { return node.target() == method; });
  }
  return node.target() == "builtins.getattr" || node.target() == "builtins.len" ||
         node.target() == "torch.numel";
}

class Tracer {
 public:
  NodeExample Describe(const Node& node, const Value& value) const {
    NodeExample example;
    if (node.op() == Op::kOutput) {
      example.role = NodeRole::kOutput;
      return example;
    }
    if (const Tensor* tensor = value.As<Tensor>()) {
      example.tensors.push_back(Description(node, *tensor));
      if (!DependsOnInputs(node)) {
        example.role = NodeRole::kConstant;
        example.value = *tensor;
      }
      return example;
    }
    if (std::optional<Argument> folded = AsArgument(value)) {
      if (!AsksForShape(node) && HasTensorInput(node)) {
        throw InputError("node " + node.name(), "a number is computed from data",
                         "numbers that follow from shapes");
      }
      example.role = NodeRole::kShapeValue;
      example.folded = std::move(*folded);
      return example;
    }
    const ValueSequence* sequence = value.As<ValueSequence>();
    if (sequence == nullptr) {
      throw InputError("node " + node.name(), "its value is " + ValueText(value),
                       "a tensor or several");
    }
    example.role = NodeRole::kSequence;
    std::vector<int64_t> place;
    DescribeItems(node, *sequence, place, example);
    return example;
  }

  NodeExamples examples;

 private:
  static TensorDescription Description(const Node& node, const Tensor& tensor) {
    TensorDescription description{tensor.dtype(), tensor.shape(), tensor.quantization()};
    if (!description.quantization) {
      description.quantization = LiteralQuantization(node);
    }
    return description;
  }

  // Sequences nest as deep as a module's results do: (y, (h, c)).
  static void DescribeItems(const Node& node, const ValueSequence& sequence,
                            std::vector<int64_t>& place, NodeExample& example) {
    place.push_back(0);
    for (const Value& item : sequence.items) {
      if (const Tensor* tensor = item.As<Tensor>()) {
        example.tensors.push_back(Description(node, *tensor));
        example.places.push_back(place);
      } else if (const ValueSequence* nested = item.As<ValueSequence>();
                 nested != nullptr && !nested->items.empty()) {
        DescribeItems(node, *nested, place, example);
      } else {
        throw InputError("node " + node.name(), "an item is " + ValueText(item),
                         "tensors only");
      }
      ++place.back();
    }
    place.pop_back();
  }

  bool HasTensorInput(const Node& node) const {
    const std::vector<Node*> inputs = node.InputNodes();
    return std::any_of(inputs.begin(), inputs.end(), [&](const Node* input) {
      return examples.at(input).role != NodeRole::kShapeValue;
    });
  }

  bool DependsOnInputs(const Node& node) const {
    if (node.op() == Op::kPlaceholder) return true;
    if (node.op() == Op::kGetAttr) return false;
    const std::vector<Node*> inputs = node.InputNodes();
    if (inputs.empty()) return false;
    return std::any_of(inputs.begin(), inputs.end(), [&](const Node* input) {
      const NodeRole role = examples.at(input).role;
      return role == NodeRole::kTensor || role == NodeRole::kSequence;
    });
  }
};

}  // namespace

NodeExamples TraceExample(const GraphModule& module, const std::vector<Tensor>& inputs,
                          const Registry& registry) {
  Tracer tracer;
  tracer.examples.reserve(module.graph.nodes().size());
  Interpreter interpreter(module, registry);
  interpreter.set_node_hook([&](const Node& node, const Value& value) {
    tracer.examples.emplace(&node, tracer.Describe(node, value));
  });
  interpreter.Run(std::vector<Value>(inputs.begin(), inputs.end()));
  return std::move(tracer.examples);
}

}  // namespace qconform
