#include "reference/lower/float_results.h"

#include <unordered_map>

#include "reference/ir/error.h"
#include "reference/lower/example_values.h"
#include "reference/lower/float_island.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/numerics/quantize.h"
#include "reference/numerics/scheme.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

bool IsWanted(const ProgramOperator& step) {
  return step.scheme != kCopySchemeName && step.kind != QC_QUANTIZE &&
         step.kind != QC_DEQUANTIZE && step.kind != QC_REQUANTIZE;
}

class OperatorReplay {
 public:
  OperatorReplay(const GraphModule& reference, const Program& program,
                 const std::vector<Tensor>& samples, const std::vector<Tensor>& values,
                 const Registry& registry)
      : reference_(reference),
        values_(values),
        registry_(registry),
        examples_(TraceExample(reference, samples, registry)) {
    for (size_t i = 0; i < program.values.size(); ++i) {
      index_.emplace(program.values[i].name, i);
    }
  }

  // One tensor an output.
  std::vector<Tensor> Run(const ProgramOperator& step) const {
    std::vector<std::pair<const Node*, std::string>> nodes;
    for (const std::string& name : step.nodes) nodes.emplace_back(&Find(name), "");
    IslandWriter writer(reference_, examples_, nodes);
    std::vector<Value> inputs;
    for (const Node* input : writer.inputs()) inputs.push_back(FloatValue(*input));
    const FloatIsland island = writer.Write();
    const Value result = Interpreter(island.part, registry_).Run(inputs);
    // The operator's own node is the last; others may be used elsewhere, too.
    const std::vector<Value>& items = result.As<ValueSequence>()->items;
    std::vector<Tensor> outputs;
    for (size_t i = items.size() - step.outputs.size(); i < items.size(); ++i) {
      outputs.push_back(*items.at(i).As<Tensor>());
    }
    return outputs;
  }

 private:
  const Node& Find(const std::string& name) const {
    const Node* node = reference_.graph.Find(name);
    if (node == nullptr) {
      throw InputError("program", "the reference graph has no node " + name,
                       "the graph that the program was lowered from");
    }
    return *node;
  }

  Tensor FloatValue(const Node& node) const {
    const NodeExample& example = examples_.at(&node);
    if (example.role == NodeRole::kConstant) return *example.value;
    const Node* source = IsDequantizeNode(node) ? QuantizedInput(node) : &node;
    const auto found = index_.find(source->name());
    if (found == index_.end()) {
      throw InputError("program", "it has no value for node " + source->name());
    }
    const Tensor& tensor = values_[found->second];
    return source == &node ? tensor : Dequantize(tensor);
  }

  const GraphModule& reference_;
  const std::vector<Tensor>& values_;
  const Registry& registry_;
  const NodeExamples examples_;
  std::unordered_map<std::string, size_t> index_;
};

void Gather(const Value& value, std::vector<Tensor>& tensors) {
  if (const Tensor* tensor = value.As<Tensor>()) tensors.push_back(*tensor);
  if (const ValueSequence* sequence = value.As<ValueSequence>()) {
    for (const Value& item : sequence->items) Gather(item, tensors);
  }
  if (const ValueDictionary* dictionary = value.As<ValueDictionary>()) {
    for (const auto& [key, item] : dictionary->items) Gather(item, tensors);
  }
}

}  // namespace

OrderedMap<Tensor> FloatResults(const GraphModule& reference, const Program& program,
                                const std::vector<Tensor>& samples,
                                const std::vector<Tensor>& values,
                                const Registry& registry) {
  const OperatorReplay replay(reference, program, samples, values, registry);
  OrderedMap<Tensor> results;
  for (const ProgramStep& step : program.steps) {
    const ProgramOperator* each = std::get_if<ProgramOperator>(&step);
    if (each == nullptr || !IsWanted(*each)) continue;
    const std::vector<Tensor> outputs = replay.Run(*each);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const auto value = static_cast<size_t>(each->outputs[i]);
      results.Set(program.values[value].name, outputs[i]);
    }
  }
  return results;
}

std::vector<Tensor> RunGraph(const GraphModule& module, const std::vector<Tensor>& inputs,
                             const Registry& registry) {
  std::vector<Tensor> outputs;
  Gather(Interpreter(module, registry).Run({inputs.begin(), inputs.end()}), outputs);
  return outputs;
}

}  // namespace qconform
