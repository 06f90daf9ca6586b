// The table: which module class, function or method is which operator.
#include <unordered_map>

#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

using Table = std::unordered_map<std::string, FormBuilder>;

// For 1, 2 and 3 dimensions.
void AddSpatial(Table& table, const std::string& stem, FormBuilder builder) {
  for (const char* rank : {"1d", "2d", "3d"}) table.emplace(stem + rank, builder);
}

Table Modules() {
  const std::string reference = "torch.ao.nn.quantized.reference.";
  const std::string intrinsic = "torch.ao.nn.intrinsic.";
  Table table = {
      {reference + "Linear", ModuleLinear},
      {intrinsic + "LinearReLU", ModuleLinearRelu},
      {"torch.nn.ReLU", Activation},
      {"torch.nn.ReLU6", Activation},
      {"torch.nn.Hardtanh", Activation},
      {"torch.nn.LeakyReLU", Activation},
      {"torch.nn.ELU", Activation},
      {"torch.nn.Hardswish", Activation},
      {"torch.nn.Hardsigmoid", Activation},
      {"torch.nn.Sigmoid", Activation},
      {"torch.nn.Tanh", Activation},
      {"torch.nn.Softmax", Activation},
      {"torch.nn.Flatten", Reshaping},
      {"torch.nn.Identity", Reshaping},
      {"torch.nn.Dropout", Reshaping},
      {"torch.nn.PReLU", ParametricRelu},
      {"torch.nn.GroupNorm", GroupedNormalization},
      {"torch.nn.LayerNorm", LayerNormalization},
      {"torch.nn.Upsample", Resizing},
      {"torch.nn.PixelShuffle", PixelShuffling},
      {"torch.nn.PixelUnshuffle", PixelShuffling},
      {reference + "Embedding", EmbeddingLookup},
      {reference + "EmbeddingBag", EmbeddingBags},
      {reference + "LSTM", RecurrentLayers},
      {reference + "GRU", RecurrentLayers},
  };
  AddSpatial(table, reference + "Conv", ModuleConvolution);
  AddSpatial(table, reference + "ConvTranspose", ModuleConvolution);
  AddSpatial(table, intrinsic + "ConvReLU", ModuleConvolutionRelu);
  AddSpatial(table, "torch.nn.BatchNorm", BatchNormalization);
  AddSpatial(table, "torch.nn.InstanceNorm", GroupedNormalization);
  AddSpatial(table, intrinsic + "BNReLU", BatchNormalization);
  AddSpatial(table, "torch.nn.MaxPool", MaxPooling);
  AddSpatial(table, "torch.nn.AvgPool", AveragePooling);
  AddSpatial(table, "torch.nn.AdaptiveAvgPool", AdaptiveAveragePooling);
  AddSpatial(table, "torch.nn.Dropout", Reshaping);
  return table;
}

Table Functions() {
  const std::string functional = "torch.nn.functional.";
  Table table = {
      {functional + "linear", FunctionLinear},
      {functional + "prelu", ParametricRelu},
      {"torch.prelu", ParametricRelu},
      {functional + "instance_norm", GroupedNormalization},
      {functional + "group_norm", GroupedNormalization},
      {functional + "layer_norm", LayerNormalization},
      {functional + "interpolate", Resizing},
      {functional + "pixel_shuffle", PixelShuffling},
      {functional + "pixel_unshuffle", PixelShuffling},
      {"torch.pixel_shuffle", PixelShuffling},
      {"torch.pixel_unshuffle", PixelShuffling},
      {"torch.matmul", MatrixProduct},
      {"operator.matmul", MatrixProduct},
      {"operator.add", Arithmetic},
      {"operator.iadd", Arithmetic},
      {"torch.add", Arithmetic},
      {"operator.sub", Arithmetic},
      {"torch.sub", Arithmetic},
      {"operator.mul", Arithmetic},
      {"operator.imul", Arithmetic},
      {"torch.mul", Arithmetic},
      {"torch.cat", Concatenation},
      {"torch.relu", Activation},
      {"torch.sigmoid", Activation},
      {"torch.tanh", Activation},
      {"torch.clamp", Activation},
      {"torch.softmax", Activation},
      {"torch.mean", Mean},
      {"torch.flatten", Reshaping},
      {"torch.reshape", Reshaping},
      {"torch.squeeze", Reshaping},
      {"torch.unsqueeze", Reshaping},
      {functional + "dropout", Reshaping},
      {"torch.permute", Permuting},
      {"torch.transpose", Permuting},
      {functional + "pad", Padding},
  };
  for (const char* name : {"relu", "relu6", "hardtanh", "leaky_relu", "elu", "hardswish",
                           "hardsigmoid", "sigmoid", "tanh", "softmax"}) {
    table.emplace(functional + name, Activation);
  }
  AddSpatial(table, functional + "conv", FunctionConvolution);
  AddSpatial(table, functional + "conv_transpose", FunctionConvolution);
  AddSpatial(table, functional + "max_pool", MaxPooling);
  AddSpatial(table, functional + "avg_pool", AveragePooling);
  AddSpatial(table, functional + "adaptive_avg_pool", AdaptiveAveragePooling);
  return table;
}

Table Methods() {
  return {
      {"relu", Activation},   {"sigmoid", Activation},     {"tanh", Activation},
      {"clamp", Activation},  {"hardsigmoid", Activation}, {"mean", Mean},
      {"view", Reshaping},    {"reshape", Reshaping},      {"flatten", Reshaping},
      {"squeeze", Reshaping}, {"unsqueeze", Reshaping},    {"contiguous", Reshaping},
      {"permute", Permuting}, {"transpose", Permuting},
  };
}

const FormBuilder* Find(const Table& table, const std::string& key) {
  const auto found = table.find(key);
  return found == table.end() ? nullptr : &found->second;
}

}  // namespace

OperatorForm FormOf(const Node& node, const GraphModule& graph,
                    const NodeExamples& examples) {
  static const Table modules = Modules();
  static const Table functions = Functions();
  static const Table methods = Methods();
  const FormBuilder* builder = nullptr;
  std::shared_ptr<Module> module;
  std::string name = node.target();
  if (node.op() == Op::kCallModule) {
    module = graph.FindModule(node.target());
    if (module == nullptr) throw NoOperatorForm("there is no module " + node.target());
    name = module->type;
    builder = Find(modules, name);
  } else if (node.op() == Op::kCallFunction) {
    builder = Find(functions, name);
  } else if (node.op() == Op::kCallMethod) {
    builder = Find(methods, name);
  }
  if (builder == nullptr) {
    const bool weighted = name.starts_with("torch.nn.Conv") || name == "torch.nn.Linear";
    throw NoOperatorForm(name +
                         (weighted ? " was not quantized" : " has no integer operator"));
  }
  return (*builder)({node, module.get(), examples, NodeArguments(node, examples)});
}

const Node* ReluInput(const Node& node, const GraphModule& graph) {
  if (node.args().empty()) return nullptr;
  const std::string& target = node.target();
  bool relu = false;
  if (node.op() == Op::kCallModule) {
    const std::shared_ptr<Module> module = graph.FindModule(target);
    relu = module != nullptr && module->type == "torch.nn.ReLU";
  } else if (node.op() == Op::kCallFunction) {
    relu = target == "torch.nn.functional.relu" || target == "torch.relu";
  } else if (node.op() == Op::kCallMethod) {
    relu = target == "relu";
  }
  return relu ? node.args()[0].AsNode() : nullptr;
}

bool TakesRelu(const OperatorForm& form) {
  switch (form.kind) {
    case QC_CONV:
    case QC_CONV_TRANSPOSE:
    case QC_LINEAR:
    case QC_ADD:
    case QC_MUL:
    case QC_BATCH_NORM:
      return form.attributes.activation == QC_ACTIVATION_NONE;
    default:
      return false;
  }
}

}  // namespace qconform
