#include "reference/lower/program_builder.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/lower/float_island.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/numerics/scheme.h"

namespace qconform {

ProgramValue DescribeValue(const std::string& name, const TensorDescription& tensor) {
  ProgramValue value;
  value.name = name;
  value.dtype = StorageDType(tensor.dtype);
  value.shape = tensor.shape;
  value.quantization = tensor.quantization;
  return value;
}

int ProgramBuilder::AddValue(ProgramValue value) {
  program_.values.push_back(std::move(value));
  return static_cast<int>(program_.values.size()) - 1;
}

int ProgramBuilder::AddConstant(const ConstantOperand& constant) {
  const auto found = constants_.find(constant.name);
  if (found != constants_.end()) return found->second;
  const Tensor& tensor = constant.tensor;
  ProgramValue value = DescribeValue(
      constant.name, {tensor.dtype(), tensor.shape(), tensor.quantization()});
  value.constant = tensor;
  value.quant_min = constant.quant_min;
  value.quant_max = constant.quant_max;
  return constants_[constant.name] = AddValue(std::move(value));
}

void ProgramBuilder::AddInput(const Node& placeholder) {
  const int value =
      AddValue(DescribeValue(placeholder.name(), examples_.at(&placeholder).tensors[0]));
  values_[&placeholder] = {value};
  program_.inputs.push_back(value);
}

void ProgramBuilder::AddFloatNode(const Node& node, const std::string& reason) {
  pending_.emplace_back(&node, reason);
}

void ProgramBuilder::AddDequantize(const Node& node) {
  const Node* source = QuantizedInput(node);
  if (source == nullptr || values_.count(source) == 0) {
    throw InputError("node " + node.name(), "it dequantizes what is no codes",
                     "the result of a quantize node or an input");
  }
  const int result =
      AddValue(DescribeValue(node.name(), examples_.at(&node).tensors.at(0)));
  ProgramOperator step{QC_DEQUANTIZE,      OperatorForm(QC_DEQUANTIZE).attributes,
                       values_.at(source), {result},
                       kRealSchemeName,    node.name(),
                       {node.name()},      ""};
  program_.steps.emplace_back(std::move(step));
  values_[&node] = {result};
}

const std::vector<int>& ProgramBuilder::ValuesOf(const Node& node) {
  const auto found = values_.find(&node);
  if (found != values_.end()) return found->second;
  const NodeExample& example = examples_.at(&node);
  if (example.role == NodeRole::kConstant) {
    if (example.tensors[0].quantization) {
      throw InputError("node " + node.name(), "codes are used outside a dequantize node");
    }
    return values_[&node] = {AddConstant({node.name(), *example.value})};
  }
  // Every other node was added before it is used.
  assert(IsDequantizeNode(node));
  AddDequantize(node);
  return values_.at(&node);
}

int ProgramBuilder::OperandValue(const Node& node) {
  return IsDequantizeNode(node) ? values_.at(QuantizedInput(node)).at(0)
                                : ValuesOf(node).at(0);
}

void ProgramBuilder::AddOperator(ProgramOperator step, const OperatorForm& form,
                                 const Node& quantize) {
  EndIsland();
  for (const Operand& operand : form.operands) {
    if (operand.node != nullptr) {
      step.inputs.push_back(OperandValue(*operand.node));
    } else if (operand.constant) {
      step.inputs.push_back(AddConstant(*operand.constant));
    } else {
      step.inputs.push_back(-1);
    }
  }
  // Trailing absent inputs are left out, as the ABI allows.
  while (!step.inputs.empty() && step.inputs.back() < 0) step.inputs.pop_back();
  ProgramValue value = DescribeValue(quantize.name(), examples_.at(&quantize).tensors[0]);
  if (const std::optional<LiteralCodeBounds> bounds = LiteralBounds(quantize)) {
    value.quant_min = bounds->min;
    value.quant_max = bounds->max;
  }
  step.outputs = {AddValue(std::move(value))};
  values_[&quantize] = step.outputs;
  program_.steps.emplace_back(std::move(step));
}

void ProgramBuilder::AddQuantize(const Node& quantize) {
  OperatorForm form(QC_QUANTIZE);
  const Node* input = QuantizedInput(quantize);
  if (input == nullptr) {
    throw InputError("node " + quantize.name(), "it quantizes what is no node");
  }
  EndIsland();
  // Quantizing a dequantized value again is a step of its own kind.
  if (IsDequantizeNode(*input) && examples_.at(input).role == NodeRole::kTensor) {
    form.kind = QC_REQUANTIZE;
  }
  form.operands = {{input, std::nullopt}};
  AddOperator({form.kind,
               form.attributes,
               {},
               {},
               kRealSchemeName,
               quantize.name(),
               {quantize.name()},
               ""},
              form, quantize);
}

void ProgramBuilder::AddOutput(const Node& node) {
  const NodeExample& example = examples_.at(&node);
  if (example.role == NodeRole::kShapeValue) {
    throw InputError("node " + node.name(), "the graph returns what is no tensor");
  }
  for (int value : ValuesOf(node)) program_.outputs.push_back(value);
}

void ProgramBuilder::EndIsland() {
  if (pending_.empty()) return;
  IslandWriter writer(reference_, examples_, pending_);
  // Dequantize steps that the island needs come before it.
  std::vector<std::vector<int>> inputs;
  for (const Node* input : writer.inputs()) inputs.push_back(ValuesOf(*input));
  FloatIsland island = writer.Write();
  for (const std::vector<int>& values : inputs) {
    island.inputs.insert(island.inputs.end(), values.begin(), values.end());
  }
  for (const Node* output : writer.outputs()) {
    const NodeExample& example = examples_.at(output);
    std::vector<int> values;
    for (size_t i = 0; i < example.tensors.size(); ++i) {
      const std::string suffix =
          example.role == NodeRole::kSequence ? "." + std::to_string(i) : "";
      values.push_back(
          AddValue(DescribeValue(output->name() + suffix, example.tensors[i])));
    }
    island.outputs.insert(island.outputs.end(), values.begin(), values.end());
    values_[output] = std::move(values);
  }
  program_.steps.emplace_back(std::move(island));
  pending_.clear();
}

}  // namespace qconform
