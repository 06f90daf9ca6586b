#include "reference/lower/program_builder.h"

#include <algorithm>
#include <cassert>

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
  value.float_zero_point = constant.float_zero_point;
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
                                 const Node& result) {
  EndIsland();
  for (const Operand& operand : form.operands) {
    if (operand.node != nullptr) {
      step.inputs.push_back(operand.plain ? ValuesOf(*operand.node).at(0)
                                          : OperandValue(*operand.node));
    } else if (operand.constant) {
      step.inputs.push_back(AddConstant(*operand.constant));
    } else {
      step.inputs.push_back(-1);
    }
  }
  // Trailing absent inputs are left out, as the ABI allows.
  while (!step.inputs.empty() && step.inputs.back() < 0) step.inputs.pop_back();
  step.outputs = AddResults(result);
  if (examples_.at(&result).role == NodeRole::kSequence) sequences_.insert(&result);
  if (const std::optional<LiteralCodeBounds> bounds = LiteralBounds(result)) {
    ProgramValue& value = program_.values[static_cast<size_t>(step.outputs[0])];
    value.quant_min = bounds->min;
    value.quant_max = bounds->max;
  }
  program_.steps.emplace_back(std::move(step));
}

std::vector<int> ProgramBuilder::AddResults(const Node& node) {
  const NodeExample& example = examples_.at(&node);
  std::vector<int> values;
  for (size_t i = 0; i < example.tensors.size(); ++i) {
    const std::string suffix =
        example.role == NodeRole::kSequence ? "." + std::to_string(i) : "";
    values.push_back(AddValue(DescribeValue(node.name() + suffix, example.tensors[i])));
  }
  return values_[&node] = values;
}

void ProgramBuilder::AddItem(const Node& node, const Node& source, int64_t index) {
  const NodeExample& example = examples_.at(&source);
  const std::vector<int>& all = values_.at(&source);
  int64_t count = 0;
  for (const std::vector<int64_t>& place : example.places) {
    count = std::max(count, place[0] + 1);
  }
  std::vector<int> values;
  for (size_t i = 0; i < all.size(); ++i) {
    const int64_t place = example.places[i][0];
    if (place == (index < 0 ? index + count : index)) values.push_back(all[i]);
  }
  values_[&node] = std::move(values);
  if (examples_.at(&node).role == NodeRole::kSequence) sequences_.insert(&node);
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
    const std::vector<int> values = AddResults(*output);
    island.outputs.insert(island.outputs.end(), values.begin(), values.end());
  }
  program_.steps.emplace_back(std::move(island));
  pending_.clear();
}

}  // namespace qconform
