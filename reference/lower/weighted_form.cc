// Convolutions and linears: torch.ao.nn.quantized.reference modules, their fused
// containers, and the functions on dequantized weights.
#include "reference/formats/tensor_json.h"
#include "reference/lower/operator_form.h"
#include "reference/lower/quantize_nodes.h"
#include "reference/numerics/decomposed.h"
#include "reference/numerics/qscheme.h"
#include "reference/numerics/quantize.h"
#include "reference/ops/weight_quantization.h"

namespace qconform {
namespace {

std::vector<double> Values(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numel(); ++i) values.push_back(tensor.ValueAt(i));
  return values;
}

const Tensor& Require(const Module& module, const char* name) {
  const Tensor* tensor = module.FindTensor(name);
  if (tensor == nullptr) throw NoOperatorForm(std::string("the module has no ") + name);
  return *tensor;
}

DType WeightDType(const Module& module) {
  const Argument* value = module.attributes.Find("weight_dtype");
  if (value != nullptr) {
    if (const DType* dtype = value->As<DType>()) return *dtype;
    if (const std::string* text = value->As<std::string>()) {
      if (const std::optional<DType> dtype = ParseDType(*text)) return *dtype;
    }
    if (const OpaqueValue* opaque = value->As<OpaqueValue>()) {
      if (const std::optional<DType> dtype = ParseDType(opaque->text)) return *dtype;
    }
  }
  throw NoOperatorForm("the weight has no dtype of codes");
}

// "torch.per_channel_affine" in whatever kind of argument it was kept.
std::string WeightScheme(const Module& module) {
  const Argument* value = module.attributes.Find("weight_qscheme");
  if (value == nullptr) return "";
  if (const std::string* text = value->As<std::string>()) return *text;
  if (const OpaqueValue* opaque = value->As<OpaqueValue>()) return opaque->text;
  return "";
}

// The module's weight as it enters the operator: codes with their qparams.
// (torch.ao.nn.quantized.reference.modules.utils.ReferenceQuantizedModule)
Tensor QuantizedWeight(const Module& module) {
  const Tensor& weight = Require(module, "weight");
  const std::vector<double> scales = Values(Require(module, "weight_scale"));
  const std::vector<double> zero_points = Values(Require(module, "weight_zero_point"));
  const DType dtype = WeightDType(module);
  const std::string scheme = WeightScheme(module);
  const std::optional<QScheme> qscheme = ParseQScheme(scheme);
  if (!qscheme || qscheme == QScheme::kPerChannelAffineFloatQparams) {
    throw NoOperatorForm("the weight is not quantized to codes");
  }
  const bool per_channel = IsPerChannel(*qscheme);
  const QuantizeMode mode =
      module.Boolean(kAsDeclared, false) ? QuantizeMode::kStrict : QuantizeMode::kTorch;
  const int axis =
      per_channel ? static_cast<int>(module.Integer("weight_axis_int", 0)) : -1;
  Tensor codes;
  if (module.Boolean("is_decomposed", false)) {
    const IntegerRange range = CodeRange(dtype);
    const int64_t min = module.Integer("weight_quant_min", range.min);
    const int64_t max = module.Integer("weight_quant_max", range.max);
    const DType plain = StorageDType(dtype);
    codes = per_channel ? DecomposedQuantizePerChannel(weight, scales, zero_points, axis,
                                                       min, max, plain)
                        : DecomposedQuantizePerTensor(
                              weight, scales.at(0),
                              static_cast<int64_t>(zero_points.at(0)), min, max, plain);
  } else {
    codes = per_channel
                ? QuantizePerChannel(weight, scales, zero_points, axis, dtype)
                : QuantizePerTensor(weight, scales.at(0),
                                    static_cast<int64_t>(zero_points.at(0)), dtype, mode);
  }
  Tensor plain = codes.ViewedAs(StorageDType(codes.dtype()));
  plain.set_quantization({scales, zero_points, axis});
  return plain;
}

// The range that the weight's observer was given, where it is narrower than the dtype's
// and the codes keep to it: backends that cannot take -128 must be told.
void SetWeightBounds(const Module& module, ConstantOperand& weight) {
  const IntegerRange range = CodeRange(WeightDType(module));
  const int64_t min = module.Integer("weight_quant_min", range.min);
  const int64_t max = module.Integer("weight_quant_max", range.max);
  if (min <= range.min && max >= range.max) return;
  for (int64_t i = 0; i < weight.tensor.numel(); ++i) {
    const int64_t code = weight.tensor.IntegerAt(i);
    if (code < min || code > max) return;
  }
  weight.quant_min = static_cast<int32_t>(min);
  weight.quant_max = static_cast<int32_t>(max);
}

void AddWeightAndBias(const Module& module, const std::string& path, OperatorForm& form) {
  ConstantOperand weight{path + ".weight", QuantizedWeight(module)};
  SetWeightBounds(module, weight);
  form.operands.push_back({nullptr, std::move(weight)});
  const Tensor* bias = module.FindTensor("bias");
  if (bias == nullptr) {
    form.operands.push_back({});
  } else {
    form.operands.push_back({nullptr, ConstantOperand{path + ".bias", *bias}});
  }
}

// Symmetric padding as numbers, or torch's 'valid' and 'same'. 'same' puts the odd
// element behind.
void FillPadding(const std::vector<int64_t>& padding, const std::string& text, int rank,
                 qc_attributes& attributes) {
  if (text == "valid") return;
  if (text == "same") {
    for (int i = 0; i < rank; ++i) {
      const int64_t total = attributes.dilation[i] * (attributes.kernel[i] - 1);
      attributes.padding_before[i] = total / 2;
      attributes.padding_after[i] = total - total / 2;
    }
    return;
  }
  if (!text.empty()) throw NoOperatorForm("padding is '" + text + "'");
  FillSpatial(attributes.padding_before, padding, rank, "padding");
  FillSpatial(attributes.padding_after, padding, rank, "padding");
}

std::string TextOr(const Argument* value) {
  const std::string* text = value == nullptr ? nullptr : value->As<std::string>();
  return text == nullptr ? "" : *text;
}

std::vector<int64_t> IntegersOr(const Argument* value, const char* what,
                                int64_t fallback) {
  if (value == nullptr || value->IsNone() || value->As<std::string>() != nullptr) {
    return {fallback};
  }
  return IntegersOf(*value, what);
}

bool IsTransposed(const std::string& name) {
  return name.find("onvTranspose") != std::string::npos ||
         name.find("conv_transpose") != std::string::npos;
}

// "...Conv2d" -> 2
int SpatialRank(const std::string& name) { return name[name.size() - 2] - '0'; }

// `settings` gives a setting by name, nullptr where torch's default holds.
template <typename Settings>
OperatorForm Convolution(const std::string& name, const Tensor& weight,
                         const Settings& settings) {
  const bool transposed = IsTransposed(name);
  const int rank = SpatialRank(name);
  OperatorForm form(transposed ? QC_CONV_TRANSPOSE : QC_CONV);
  form.accumulates = true;
  qc_attributes& attributes = form.attributes;
  attributes.spatial_rank = rank;
  if (weight.rank() != rank + 2) throw NoOperatorForm("the weight has another rank");
  FillSpatial(attributes.kernel, {weight.shape().begin() + 2, weight.shape().end()}, rank,
              "kernel");
  FillSpatial(attributes.stride, IntegersOr(settings("stride"), "stride", 1), rank,
              "stride");
  FillSpatial(attributes.dilation, IntegersOr(settings("dilation"), "dilation", 1), rank,
              "dilation");
  FillPadding(IntegersOr(settings("padding"), "padding", 0), TextOr(settings("padding")),
              rank, attributes);
  if (transposed) {
    FillSpatial(attributes.output_padding,
                IntegersOr(settings("output_padding"), "output_padding", 0), rank,
                "output_padding");
  }
  attributes.groups = IntegersOr(settings("groups"), "groups", 1).at(0);
  return form;
}

OperatorForm ConvolutionOf(const FormContext& context, const Module& module,
                           const std::string& path) {
  OperatorForm form =
      Convolution(module.type, Require(module, "weight"),
                  [&](const char* name) { return module.attributes.Find(name); });
  // torch's reference module pads with zeros whatever its padding_mode is.
  if (module.Boolean(kAsDeclared, false)) {
    form.attributes.padding_mode = PaddingMode(module.Text("padding_mode", "zeros"));
  }
  form.operands.push_back(FirstOperand(context));
  AddWeightAndBias(module, path, form);
  return form;
}

OperatorForm LinearOf(const FormContext& context, const Module& module,
                      const std::string& path) {
  OperatorForm form(QC_LINEAR);
  form.accumulates = true;
  form.to_float = AddDynamicOperand(context, form);
  if (!form.to_float) form.operands.push_back(FirstOperand(context));
  AddWeightAndBias(module, path, form);
  return form;
}

// Element 0 of a fused container whose element 1 is a ReLU.
const Module& Fused(const Module& container, const char* type) {
  const std::shared_ptr<Module>* first = container.children.Find("0");
  const std::shared_ptr<Module>* second = container.children.Find("1");
  if (first == nullptr || second == nullptr || !*first || !*second) {
    throw NoOperatorForm("the container is not complete");
  }
  if (!(*first)->type.starts_with(std::string("torch.ao.nn.quantized.reference.") +
                                  type) ||
      (*second)->type != "torch.nn.ReLU") {
    throw NoOperatorForm("the container's " + (*first)->type + " stayed float");
  }
  return **first;
}

// A weight or bias that a function takes from the graph.
Operand ConstantArgument(const FormContext& context, const Node& node, bool codes) {
  const Node* source = codes ? QuantizedInput(node) : &node;
  if (source == nullptr ||
      (codes && (!IsDequantizeNode(node) || !IsQuantizeNode(*source)))) {
    throw NoOperatorForm("weight " + node.name() + " is float");
  }
  const NodeExample& example = context.examples.at(source);
  if (example.role != NodeRole::kConstant) {
    throw NoOperatorForm(node.name() + " is no constant");
  }
  Tensor tensor = *example.value;
  if (codes) {
    if (!example.tensors[0].quantization)
      throw NoOperatorForm("the weight has no qparams");
    tensor = tensor.ViewedAs(StorageDType(tensor.dtype()));
    tensor.set_quantization(*example.tensors[0].quantization);
  }
  return {nullptr, ConstantOperand{source->name(), std::move(tensor)}};
}

void AddFunctionOperands(const FormContext& context, OperatorForm& form) {
  form.to_float = form.kind == QC_LINEAR && AddDynamicOperand(context, form);
  if (!form.to_float) form.operands.push_back(FirstOperand(context));
  const Node* weight = context.arguments.NodeAt(1, "weight");
  if (weight == nullptr) throw NoOperatorForm("the weight is no tensor");
  form.operands.push_back(ConstantArgument(context, *weight, true));
  const Node* bias = context.arguments.NodeAt(2, "bias");
  form.operands.push_back(bias == nullptr ? Operand{}
                                          : ConstantArgument(context, *bias, false));
}

OperatorForm WithRelu(OperatorForm form) {
  form.attributes.activation = QC_ACTIVATION_RELU;
  return form;
}

}  // namespace

OperatorForm ModuleConvolution(const FormContext& context) {
  return ConvolutionOf(context, *context.module, context.node.target());
}

OperatorForm ModuleConvolutionRelu(const FormContext& context) {
  return WithRelu(ConvolutionOf(context, Fused(*context.module, "Conv"),
                                context.node.target() + ".0"));
}

OperatorForm ModuleLinear(const FormContext& context) {
  return LinearOf(context, *context.module, context.node.target());
}

OperatorForm ModuleLinearRelu(const FormContext& context) {
  return WithRelu(
      LinearOf(context, Fused(*context.module, "Linear"), context.node.target() + ".0"));
}

// (torch.nn.functional.conv2d, conv_transpose2d and their kin)
OperatorForm FunctionConvolution(const FormContext& context) {
  OperatorForm operands(QC_CONV);
  AddFunctionOperands(context, operands);
  const bool transposed = IsTransposed(context.node.target());
  const auto position = [&](const std::string& name) -> size_t {
    if (name == "stride") return 3;
    if (name == "padding") return 4;
    if (name == "output_padding") return 5;
    if (name == "dilation") return transposed ? 7 : 5;
    return 6;  // groups, in both
  };
  OperatorForm form = Convolution(
      context.node.target(), operands.operands[1].constant->tensor,
      [&](const char* name) { return context.arguments.Find(position(name), name); });
  form.operands = std::move(operands.operands);
  return form;
}

OperatorForm FunctionLinear(const FormContext& context) {
  OperatorForm form(QC_LINEAR);
  form.accumulates = true;
  AddFunctionOperands(context, form);
  return form;
}

}  // namespace qconform
