#include "reference/lower/operator_form.h"

#include <cassert>

namespace qconform {

OperatorForm::OperatorForm(qc_operator_kind kind) : kind(kind), attributes{} {
  attributes.size = sizeof(qc_attributes);
}

const TensorDescription& FormContext::output() const {
  const NodeExample& example = examples.at(&node);
  if (example.role != NodeRole::kTensor) throw NoOperatorForm("its value is no tensor");
  return example.tensors[0];
}

const TensorDescription& FormContext::input() const {
  const Node* input = node.args().empty() ? nullptr : node.args()[0].AsNode();
  if (input == nullptr || examples.at(input).tensors.size() != 1) {
    throw NoOperatorForm("its first argument is no tensor");
  }
  return examples.at(input).tensors[0];
}

std::vector<int64_t> FormContext::Integers(size_t position, const char* name) const {
  if (module == nullptr) return arguments.Integers(position, name);
  const Argument* value = module->attributes.Find(name);
  if (value == nullptr || value->IsNone()) return {};
  return IntegersOf(*value, name);
}

int64_t FormContext::Integer(size_t position, const char* name, int64_t fallback) const {
  return module != nullptr ? module->Integer(name, fallback)
                           : arguments.Integer(position, name, fallback);
}

double FormContext::Real(size_t position, const char* name, double fallback) const {
  return module != nullptr ? module->Real(name, fallback)
                           : arguments.Real(position, name, fallback);
}

bool FormContext::Boolean(size_t position, const char* name, bool fallback) const {
  return module != nullptr ? module->Boolean(name, fallback)
                           : arguments.Boolean(position, name, fallback);
}

std::string FormContext::Text(size_t position, const char* name,
                              const char* fallback) const {
  return module != nullptr ? module->Text(name, fallback)
                           : arguments.Text(position, name, fallback);
}

Operand FirstOperand(const FormContext& context) {
  context.input();
  return {context.node.args()[0].AsNode(), std::nullopt};
}

Operand ConstantParameter(const FormContext& context, size_t position, const char* name) {
  if (context.module != nullptr) {
    const Tensor* tensor = context.module->FindTensor(name);
    if (tensor == nullptr) return {};
    return {nullptr, ConstantOperand{context.node.target() + "." + name, *tensor}};
  }
  const Node* node = context.arguments.NodeAt(position, name);
  if (node == nullptr) return {};
  // A weight that was quantized and dequantized is its real values.
  const NodeExample& example = context.examples.at(node);
  if (example.role != NodeRole::kConstant) {
    throw NoOperatorForm(std::string(name) + " is computed from data");
  }
  return {nullptr, ConstantOperand{node->name(), *example.value}};
}

void FillSpatial(int64_t (&target)[3], const std::vector<int64_t>& values, int rank,
                 const char* what) {
  assert(1 <= rank && rank <= 3);
  if (values.size() != 1 && values.size() != static_cast<size_t>(rank)) {
    throw NoOperatorForm(std::string(what) + " has " + std::to_string(values.size()) +
                         " values for " + std::to_string(rank) + " dimensions");
  }
  for (int i = 0; i < rank; ++i) {
    target[i] = values[values.size() == 1 ? 0 : static_cast<size_t>(i)];
  }
}

int64_t NormalizedAxis(int64_t axis, size_t rank) {
  const auto size = static_cast<int64_t>(rank);
  if (axis < -size || axis >= size) {
    throw NoOperatorForm("dimension " + std::to_string(axis) + " is outside");
  }
  return axis < 0 ? axis + size : axis;
}

qc_padding_mode PaddingMode(const std::string& name) {
  if (name == "constant" || name == "zeros") return QC_PADDING_ZEROS;
  if (name == "reflect") return QC_PADDING_REFLECT;
  if (name == "replicate") return QC_PADDING_REPLICATE;
  if (name == "circular") return QC_PADDING_CIRCULAR;
  throw NoOperatorForm("mode of padding is '" + name + "'");
}

}  // namespace qconform
