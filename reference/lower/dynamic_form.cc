// Operators whose input is quantized at run time, and the recurrent layers among them.
#include "reference/formats/tensor_json.h"
#include "reference/ir/error.h"
#include "reference/lower/operator_form.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {

bool AddDynamicOperand(const FormContext& context, OperatorForm& form) {
  context.input();
  const Node* dequantize = context.node.args()[0].AsNode();
  const Node* quantize =
      IsDequantizeNode(*dequantize) ? QuantizedInput(*dequantize) : nullptr;
  if (quantize == nullptr || !IsDynamicQuantizeNode(*quantize)) return false;
  const Node* x = QuantizedInput(*quantize);
  const NodeArguments arguments(*quantize, context.examples);
  const Argument* dtype = arguments.Find(1, "dtype");
  const DType* codes = dtype == nullptr ? nullptr : dtype->As<DType>();
  if (x == nullptr || codes == nullptr || *codes != DType::kQUInt8) {
    throw NoOperatorForm("its input is quantized at run time to others than quint8");
  }
  form.attributes.dynamic = 1;
  form.attributes.reduce_range = arguments.Boolean(2, "reduce_range", false) ? 1 : 0;
  form.operands.push_back({x, std::nullopt, true});
  form.absorbed = {quantize, dequantize};
  return true;
}

namespace {

ConstantOperand GateWeight(const FormContext& context, const std::string& name) {
  Tensor codes;
  try {
    codes = QuantizedWeight(*context.module, name, Call(context.node.name(), {}));
  } catch (const InputError& error) {
    throw NoOperatorForm(error.what());
  }
  if (codes.dtype() != DType::kQInt8 && codes.dtype() != DType::kQUInt8) {
    throw NoOperatorForm(name + " is " + std::string(DTypeName(codes.dtype())));
  }
  const QuantizationParameters parameters = *codes.quantization();
  ConstantOperand weight{context.node.target() + "." + name,
                         codes.ViewedAs(StorageDType(codes.dtype()))};
  weight.tensor.set_quantization(parameters);
  return weight;
}

// The initial states: nodes, or zeros where none are given.
void AddStates(const FormContext& context, bool lstm, const Shape& shape,
               OperatorForm& form) {
  const Argument* given = context.arguments.Find(1, "hx");
  std::vector<const Node*> nodes;
  if (given != nullptr && !given->IsNone()) {
    if (const Sequence* pair = given->As<Sequence>()) {
      for (const Argument& item : pair->items) nodes.push_back(item.AsNode());
    } else {
      nodes.push_back(given->AsNode());
    }
    const bool all = nodes.size() == (lstm ? 2u : 1u) && nodes.front() != nullptr &&
                     nodes.back() != nullptr;
    if (!all) throw NoOperatorForm("its initial states are no tensors of their own");
  }
  for (size_t i = 0; i < 2; ++i) {
    if (i == 1 && !lstm) {
      form.operands.push_back({});
    } else if (!nodes.empty()) {
      form.operands.push_back({nodes[i], std::nullopt, true});
    } else {
      form.operands.push_back(
          {nullptr, ConstantOperand{context.node.target() + (i == 0 ? ".h0" : ".c0"),
                                    Tensor(DType::kFloat32, shape)}});
    }
  }
}

}  // namespace

// torch.ao.nn.quantized.reference.LSTM and GRU behind a quantization at run time. The
// reference module itself computes in float32; the operator quantizes the hidden state
// as well, as torch's dynamic modules do.
OperatorForm RecurrentLayers(const FormContext& context) {
  const Module& module = *context.module;
  const bool lstm = module.type.ends_with("LSTM");
  OperatorForm form(lstm ? QC_LSTM : QC_GRU);
  if (!AddDynamicOperand(context, form)) {
    throw NoOperatorForm("its input is not quantized at run time");
  }
  form.to_float = true;
  if (module.Integer("proj_size", 0) != 0) throw NoOperatorForm("it projects its state");
  if (module.training && module.Real("dropout", 0.0) > 0.0) {
    throw NoOperatorForm("it drops elements at random");
  }
  qc_attributes& attributes = form.attributes;
  attributes.hidden_size = module.Integer("hidden_size", 0);
  attributes.layers = module.Integer("num_layers", 1);
  attributes.bidirectional = module.Boolean("bidirectional", false) ? 1 : 0;
  attributes.batch_first = module.Boolean("batch_first", false) ? 1 : 0;
  const Shape& x = context.input().shape;
  if (x.size() != 3) throw NoOperatorForm("its input has no dimension of samples");
  const int64_t directions = attributes.bidirectional != 0 ? 2 : 1;
  const Shape states = {attributes.layers * directions,
                        x[attributes.batch_first != 0 ? 0 : 1], attributes.hidden_size};
  AddStates(context, lstm, states, form);
  for (int64_t layer = 0; layer < attributes.layers; ++layer) {
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix =
          "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      for (const char* weight : {"weight_ih", "weight_hh"}) {
        form.operands.push_back({nullptr, GateWeight(context, weight + suffix)});
      }
      for (const char* bias : {"bias_ih", "bias_hh"}) {
        const Tensor* tensor = module.FindTensor(bias + suffix);
        form.operands.push_back(
            tensor == nullptr ? Operand{}
                              : Operand{nullptr, ConstantOperand{context.node.target() +
                                                                     "." + bias + suffix,
                                                                 *tensor}});
      }
    }
  }
  return form;
}

}  // namespace qconform
