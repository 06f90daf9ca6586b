// Operators that take each element by itself, matrix products of two activations,
// concatenation, and batch normalization.
#include <cctype>
#include <limits>
#include <unordered_map>

#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

// The last part of a class or function name, in lower case: "torch.nn.ReLU6" -> "relu6".
std::string PlainName(const FormContext& context) {
  const std::string& full =
      context.module != nullptr ? context.module->type : context.node.target();
  std::string name = full.substr(full.rfind('.') + 1);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

const Node* NodeOf(const Argument* argument) {
  return argument == nullptr ? nullptr : argument->AsNode();
}

std::optional<double> NumberOf(const Argument* argument) {
  if (argument == nullptr) return std::nullopt;
  if (const double* real = argument->As<double>()) return *real;
  if (const int64_t* integer = argument->As<int64_t>()) {
    return static_cast<double>(*integer);
  }
  return std::nullopt;
}

}  // namespace

OperatorForm MatrixProduct(const FormContext& context) {
  OperatorForm form(QC_MATMUL);
  const Node* other = context.arguments.NodeAt(1, "other");
  if (other == nullptr) throw NoOperatorForm("the second factor is no tensor");
  form.operands = {FirstOperand(context), {other, std::nullopt}};
  return form;
}

// add, sub and mul of two tensors, or of a tensor and a number on either side.
OperatorForm Arithmetic(const FormContext& context) {
  const std::string name = PlainName(context);
  const qc_operator_kind kind = name.ends_with("add")   ? QC_ADD
                                : name.ends_with("sub") ? QC_SUB
                                                        : QC_MUL;
  OperatorForm form(kind);
  form.attributes.alpha = static_cast<float>(context.arguments.Real(2, "alpha", 1.0));
  const Argument* first = context.arguments.Find(0, "input");
  const Argument* second = context.arguments.Find(1, "other");
  if (NodeOf(first) != nullptr && NodeOf(second) != nullptr) {
    form.operands = {{NodeOf(first), std::nullopt}, {NodeOf(second), std::nullopt}};
    return form;
  }
  const bool scalar_first = NodeOf(first) == nullptr;
  const Node* tensor = NodeOf(scalar_first ? second : first);
  const std::optional<double> number = NumberOf(scalar_first ? first : second);
  if (tensor == nullptr || !number) {
    throw NoOperatorForm("an operand is neither a tensor nor a number");
  }
  form.attributes.scalar = static_cast<float>(*number);
  form.attributes.scalar_first = scalar_first ? 1 : 0;
  form.operands = {{tensor, std::nullopt}, {}};
  return form;
}

OperatorForm Concatenation(const FormContext& context) {
  OperatorForm form(QC_CONCAT);
  const Argument* tensors = context.arguments.Find(0, "tensors");
  const Sequence* sequence = tensors == nullptr ? nullptr : tensors->As<Sequence>();
  if (sequence == nullptr) throw NoOperatorForm("its tensors are no list");
  for (const Argument& item : sequence->items) {
    if (item.AsNode() == nullptr) throw NoOperatorForm("an item is no tensor");
    form.operands.push_back({item.AsNode(), std::nullopt});
  }
  form.attributes.axis = NormalizedAxis(context.arguments.Integer(1, "dim", 0),
                                        context.output().shape.size());
  return form;
}

OperatorForm Activation(const FormContext& context) {
  static const std::unordered_map<std::string, qc_operator_kind> kinds = {
      {"relu", QC_RELU},
      {"relu6", QC_RELU6},
      {"hardtanh", QC_CLAMP},
      {"clamp", QC_CLAMP},
      {"leakyrelu", QC_LEAKY_RELU},
      {"leaky_relu", QC_LEAKY_RELU},
      {"elu", QC_ELU},
      {"hardswish", QC_HARDSWISH},
      {"hardsigmoid", QC_HARDSIGMOID},
      {"sigmoid", QC_SIGMOID},
      {"tanh", QC_TANH},
      {"softmax", QC_SOFTMAX},
  };
  const std::string name = PlainName(context);
  OperatorForm form(kinds.at(name));
  form.operands = {FirstOperand(context)};
  qc_attributes& attributes = form.attributes;
  switch (form.kind) {
    case QC_CLAMP: {
      const bool clamp = name == "clamp";
      const double infinity = std::numeric_limits<double>::infinity();
      attributes.minimum = static_cast<float>(
          context.Real(1, clamp ? "min" : "min_val", clamp ? -infinity : -1.0));
      attributes.maximum = static_cast<float>(
          context.Real(2, clamp ? "max" : "max_val", clamp ? infinity : 1.0));
      break;
    }
    case QC_LEAKY_RELU:
      attributes.alpha = static_cast<float>(context.Real(1, "negative_slope", 0.01));
      break;
    case QC_ELU:
      attributes.alpha = static_cast<float>(context.Real(1, "alpha", 1.0));
      break;
    case QC_SOFTMAX:
      attributes.axis =
          NormalizedAxis(context.Integer(1, "dim", -1), context.output().shape.size());
      break;
    default:
      break;
  }
  return form;
}

// torch.nn.BatchNorm in evaluation mode, alone or as element 0 of a BNReLU.
OperatorForm BatchNormalization(const FormContext& context) {
  OperatorForm form(QC_BATCH_NORM);
  const Module* module = context.module;
  std::string path = context.node.target();
  if (module->type.starts_with("torch.ao.nn.intrinsic.")) {
    const std::shared_ptr<Module>* first = module->children.Find("0");
    if (first == nullptr || !*first)
      throw NoOperatorForm("the container is not complete");
    module = first->get();
    path += ".0";
    form.attributes.activation = QC_ACTIVATION_RELU;
  }
  if (module->training || module->FindTensor("running_mean") == nullptr) {
    throw NoOperatorForm("it normalizes by the batch's own statistics");
  }
  form.attributes.epsilon = static_cast<float>(module->Real("eps", 1e-5));
  form.operands = {FirstOperand(context)};
  for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
    const Tensor* tensor = module->FindTensor(name);
    form.operands.push_back(
        tensor == nullptr
            ? Operand{}
            : Operand{nullptr, ConstantOperand{path + "." + name, *tensor}});
  }
  return form;
}

}  // namespace qconform
