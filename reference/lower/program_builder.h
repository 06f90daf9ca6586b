// Puts a Program together: numbers the values, and gathers float nodes into islands.
#ifndef QCONFORM_REFERENCE_LOWER_PROGRAM_BUILDER_H_
#define QCONFORM_REFERENCE_LOWER_PROGRAM_BUILDER_H_

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "reference/lower/example_values.h"
#include "reference/lower/operator_form.h"
#include "reference/lower/program.h"

namespace qconform {

class ProgramBuilder {
 public:
  ProgramBuilder(const GraphModule& reference, const NodeExamples& examples)
      : reference_(reference), examples_(examples) {}

  void AddInput(const Node& placeholder);
  // The node joins the island that is being gathered.
  void AddFloatNode(const Node& node, const std::string& reason);
  // `node` picks what stands at one place of the operator result `source`.
  void AddItem(const Node& node, const Node& source, int64_t index);
  // True for the result of an operator that gave several tensors, or a part of it.
  bool IsOperatorSequence(const Node& node) const { return sequences_.count(&node) > 0; }
  // Ends the island that is being gathered, if any.
  void EndIsland();
  // `step` lacks inputs and outputs: they are the form's operands and the values of
  // `result`, a quantize node or the operator's own. Ends the island first. Operands that
  // are dequantize nodes stand for the codes that they read, unless they are plain.
  void AddOperator(ProgramOperator step, const OperatorForm& form, const Node& result);
  // float32 -> codes.
  void AddQuantize(const Node& quantize);
  void AddOutput(const Node& node);

  Program Take() { return std::move(program_); }

 private:
  int AddValue(ProgramValue value);
  int AddConstant(const ConstantOperand& constant);
  // The values of a node: one, or one an item of a sequence. A dequantize node gets
  // its step when it is first asked for; a constant its value.
  const std::vector<int>& ValuesOf(const Node& node);
  // New values of a node: one, or one a tensor of a sequence.
  std::vector<int> AddResults(const Node& node);
  // Codes where the node is a dequantize node, else its one value.
  int OperandValue(const Node& node);
  void AddDequantize(const Node& node);
  std::vector<Node*> IslandInput(const Node& node, FloatIsland& island);

  const GraphModule& reference_;
  const NodeExamples& examples_;
  Program program_;
  std::unordered_map<const Node*, std::vector<int>> values_;
  std::unordered_map<std::string, int> constants_;
  std::unordered_set<const Node*> sequences_;
  std::vector<std::pair<const Node*, std::string>> pending_;
};

// A tensor as a program value without its data.
ProgramValue DescribeValue(const std::string& name, const TensorDescription& tensor);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_PROGRAM_BUILDER_H_
