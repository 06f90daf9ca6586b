// PReLU and the norms that take their input's own statistics.
#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

bool IsModule(const FormContext& context, const char* stem) {
  return context.module != nullptr &&
         context.module->type.starts_with(std::string("torch.nn.") + stem);
}

}  // namespace

// (torch.nn.PReLU; torch.nn.functional.prelu(input, weight))
OperatorForm ParametricRelu(const FormContext& context) {
  OperatorForm form(QC_PRELU);
  form.operands = {FirstOperand(context), ConstantParameter(context, 1, "weight")};
  if (!form.operands[1].constant) throw NoOperatorForm("it has no weight");
  return form;
}

// torch.nn.functional.group_norm(input, num_groups, weight, bias, eps) and
// instance_norm(input, running_mean, running_var, weight, bias, use_input_stats,
// momentum, eps)
OperatorForm GroupedNormalization(const FormContext& context) {
  const bool instance = IsModule(context, "InstanceNorm") ||
                        context.node.target().ends_with("instance_norm");
  OperatorForm form(instance ? QC_INSTANCE_NORM : QC_GROUP_NORM);
  const size_t weight = instance ? 3 : 2;
  if (instance && (ConstantParameter(context, 1, "running_mean").constant ||
                   (context.module == nullptr &&
                    !context.arguments.Boolean(5, "use_input_stats", true)))) {
    throw NoOperatorForm("it normalizes by running statistics");
  }
  form.operands = {FirstOperand(context), ConstantParameter(context, weight, "weight"),
                   ConstantParameter(context, weight + 1, "bias")};
  if (!instance) form.attributes.group_count = context.Integer(1, "num_groups", 0);
  form.attributes.epsilon =
      static_cast<float>(context.Real(instance ? 7 : 4, "eps", 1e-5));
  return form;
}

// torch.nn.functional.layer_norm(input, normalized_shape, weight, bias, eps)
OperatorForm LayerNormalization(const FormContext& context) {
  OperatorForm form(QC_LAYER_NORM);
  form.operands = {FirstOperand(context), ConstantParameter(context, 2, "weight"),
                   ConstantParameter(context, 3, "bias")};
  const auto normalized =
      static_cast<int64_t>(context.Integers(1, "normalized_shape").size());
  form.attributes.axis = static_cast<int64_t>(context.input().shape.size()) - normalized;
  form.attributes.epsilon = static_cast<float>(context.Real(4, "eps", 1e-5));
  return form;
}

}  // namespace qconform
