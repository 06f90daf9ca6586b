// How a float node of a reference graph is spelled as an operator of the ABI. One
// function a family of operators; operator_forms.cc holds the table.
#ifndef QCONFORM_REFERENCE_LOWER_OPERATOR_FORM_H_
#define QCONFORM_REFERENCE_LOWER_OPERATOR_FORM_H_

#include <optional>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/ir/module.h"
#include "reference/lower/example_values.h"
#include "reference/lower/node_arguments.h"

namespace qconform {

// Codes of a weight (quantization set), or a float32 tensor.
struct ConstantOperand {
  std::string name;  // "conv1.weight"
  Tensor tensor;
  // Of the codes; (0, 0): the whole range of the dtype.
  int32_t quant_min = 0;
  int32_t quant_max = 0;
  bool float_zero_point = false;
};

// One ABI input: a node of the graph, a constant, or neither (absent).
struct Operand {
  const Node* node = nullptr;
  std::optional<ConstantOperand> constant;
  // The node's own value: float32 or indices. Else codes, read through a dequantize node.
  bool plain = false;
};

struct OperatorForm {
  explicit OperatorForm(qc_operator_kind kind);

  qc_operator_kind kind;
  qc_attributes attributes;
  std::vector<Operand> operands;
  // Codes are only moved or compared: exact where input and output share qparams.
  bool moves_codes = false;
  // A convolution or linear, rounded as the config's accumulating operators.
  bool accumulates = false;
  // The result is float32 as it is; no quantize node ends it.
  bool to_float = false;
  // Nodes before the operator's own that it stands for: quantization at run time.
  std::vector<const Node*> absorbed;
};

// What a form is built from. module is null unless the node calls one.
struct FormContext {
  const Node& node;
  const Module* module;
  const NodeExamples& examples;
  NodeArguments arguments;

  // The node's output, and its first argument, on the example.
  const TensorDescription& output() const;
  const TensorDescription& input() const;

  // A setting: an attribute of the module, or an argument of the function or method.
  // Throw NoOperatorForm if it is of another kind.
  std::vector<int64_t> Integers(size_t position, const char* name) const;
  int64_t Integer(size_t position, const char* name, int64_t fallback) const;
  double Real(size_t position, const char* name, double fallback) const;
  bool Boolean(size_t position, const char* name, bool fallback) const;
  std::string Text(size_t position, const char* name, const char* fallback) const;
};

// Throws NoOperatorForm with the reason in words.
OperatorForm FormOf(const Node& node, const GraphModule& graph,
                    const NodeExamples& examples);

// A module or function that is only relu: its input, or nullptr.
const Node* ReluInput(const Node& node, const GraphModule& graph);

// True if relu may be fused into the operator of this form.
bool TakesRelu(const OperatorForm& form);

// The families.
using FormBuilder = OperatorForm (*)(const FormContext&);
OperatorForm ModuleConvolution(const FormContext& context);
OperatorForm ModuleConvolutionRelu(const FormContext& context);
OperatorForm FunctionConvolution(const FormContext& context);
OperatorForm ModuleLinear(const FormContext& context);
OperatorForm ModuleLinearRelu(const FormContext& context);
OperatorForm FunctionLinear(const FormContext& context);
OperatorForm MatrixProduct(const FormContext& context);
OperatorForm Arithmetic(const FormContext& context);
OperatorForm Concatenation(const FormContext& context);
OperatorForm Activation(const FormContext& context);
OperatorForm BatchNormalization(const FormContext& context);
OperatorForm MaxPooling(const FormContext& context);
OperatorForm AveragePooling(const FormContext& context);
OperatorForm AdaptiveAveragePooling(const FormContext& context);
OperatorForm Mean(const FormContext& context);
OperatorForm Reshaping(const FormContext& context);
OperatorForm Permuting(const FormContext& context);
OperatorForm Padding(const FormContext& context);
OperatorForm ParametricRelu(const FormContext& context);
OperatorForm GroupedNormalization(const FormContext& context);
OperatorForm LayerNormalization(const FormContext& context);
OperatorForm Resizing(const FormContext& context);
OperatorForm PixelShuffling(const FormContext& context);
OperatorForm EmbeddingLookup(const FormContext& context);
OperatorForm EmbeddingBags(const FormContext& context);
OperatorForm RecurrentLayers(const FormContext& context);

// The first argument read through a quantization at run time, as torch's native
// operators do it: x of dequantize(quantize_per_tensor_dynamic(x, quint8)). Sets dynamic
// and reduce_range and adds the operand; false if the argument is no such node. Throws
// if its codes are others than u8.
bool AddDynamicOperand(const FormContext& context, OperatorForm& form);

// Shared pieces of the families.
// The first tensor argument, as an operand. Throws if it is no node.
Operand FirstOperand(const FormContext& context);
// Fills three spatial values from one integer or `rank` of them.
void FillSpatial(int64_t (&target)[3], const std::vector<int64_t>& values, int rank,
                 const char* what);
// torch's name of how the border is filled; "constant" and "zeros" are the same.
qc_padding_mode PaddingMode(const std::string& name);
// A tensor of the module or of an argument as an operand; absent if there is none. Throws
// if it is no constant.
Operand ConstantParameter(const FormContext& context, size_t position, const char* name);
// From 0 .. rank - 1, negative ones counted from the end. Throws if outside.
int64_t NormalizedAxis(int64_t axis, size_t rank);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LOWER_OPERATOR_FORM_H_
