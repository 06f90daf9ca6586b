// Operators that move codes without a change.
#include <utility>

#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

OperatorForm Movement(qc_operator_kind kind, const FormContext& context) {
  OperatorForm form(kind);
  form.moves_codes = true;
  form.operands = {FirstOperand(context)};
  return form;
}

}  // namespace

// view, flatten, squeeze, dropout in evaluation mode, ...: the output's shape says it.
OperatorForm Reshaping(const FormContext& context) {
  const bool dropout = context.node.target() == "torch.nn.functional.dropout";
  const bool training = dropout ? context.arguments.Boolean(2, "training", true)
                                : context.module != nullptr && context.module->training;
  if (training) throw NoOperatorForm("it drops elements at random");
  return Movement(QC_RESHAPE, context);
}

// permute(dims) and transpose(a, b)
OperatorForm Permuting(const FormContext& context) {
  OperatorForm form = Movement(QC_TRANSPOSE, context);
  const size_t rank = context.input().shape.size();
  if (rank > QC_MAX_RANK) throw NoOperatorForm("it has too many dimensions");
  int64_t* permutation = form.attributes.permutation;
  if (context.node.target().ends_with("transpose")) {
    for (size_t i = 0; i < rank; ++i) permutation[i] = static_cast<int64_t>(i);
    const int64_t a = NormalizedAxis(context.arguments.Integer(1, "dim0", 0), rank);
    const int64_t b = NormalizedAxis(context.arguments.Integer(2, "dim1", 0), rank);
    std::swap(permutation[a], permutation[b]);
    return form;
  }
  const std::vector<int64_t> dims = context.arguments.SpreadIntegers(1, "dims");
  if (dims.size() != rank) throw NoOperatorForm("dims do not name every dimension");
  for (size_t i = 0; i < rank; ++i) permutation[i] = NormalizedAxis(dims[i], rank);
  return form;
}

// torch.nn.functional.pad: pairs (before, after) from the last dimension on.
OperatorForm Padding(const FormContext& context) {
  OperatorForm form = Movement(QC_PAD, context);
  form.attributes.padding_mode =
      PaddingMode(context.arguments.Text(2, "mode", "constant"));
  form.attributes.scalar = static_cast<float>(context.arguments.Real(3, "value", 0.0));
  const std::vector<int64_t> pad = context.arguments.Integers(1, "pad");
  const size_t rank = context.input().shape.size();
  if (pad.size() % 2 != 0 || pad.size() / 2 > rank || rank > QC_MAX_RANK) {
    throw NoOperatorForm("pad does not fit the dimensions");
  }
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    if (pad[2 * i] < 0 || pad[2 * i + 1] < 0) throw NoOperatorForm("it crops");
    form.attributes.start[rank - 1 - i] = pad[2 * i];
    form.attributes.stop[rank - 1 - i] = pad[2 * i + 1];
  }
  return form;
}

}  // namespace qconform
