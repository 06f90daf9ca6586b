// Pooling and means.
#include "reference/lower/operator_form.h"

namespace qconform {
namespace {

// "MaxPool2d", "max_pool2d" -> 2
int SpatialRank(const FormContext& context) {
  const std::string& name =
      context.module != nullptr ? context.module->type : context.node.target();
  return name[name.size() - 2] - '0';
}

// kernel_size, stride (the kernel's by default) and padding; the positions of torch's
// pooling functions.
void FillWindow(const FormContext& context, OperatorForm& form) {
  const int rank = SpatialRank(context);
  qc_attributes& attributes = form.attributes;
  attributes.spatial_rank = rank;
  const std::vector<int64_t> kernel = context.Integers(1, "kernel_size");
  FillSpatial(attributes.kernel, kernel, rank, "kernel_size");
  const std::vector<int64_t> stride = context.Integers(2, "stride");
  FillSpatial(attributes.stride, stride.empty() ? kernel : stride, rank, "stride");
  std::vector<int64_t> padding = context.Integers(3, "padding");
  if (padding.empty()) padding = {0};
  FillSpatial(attributes.padding_before, padding, rank, "padding");
  FillSpatial(attributes.padding_after, padding, rank, "padding");
}

}  // namespace

OperatorForm MaxPooling(const FormContext& context) {
  OperatorForm form(QC_MAX_POOL);
  form.moves_codes = true;
  form.operands = {FirstOperand(context)};
  FillWindow(context, form);
  std::vector<int64_t> dilation = context.Integers(4, "dilation");
  if (dilation.empty()) dilation = {1};
  FillSpatial(form.attributes.dilation, dilation, form.attributes.spatial_rank,
              "dilation");
  form.attributes.ceil_mode = context.Boolean(5, "ceil_mode", false) ? 1 : 0;
  if (context.Boolean(6, "return_indices", false)) {
    throw NoOperatorForm("it returns indices too");
  }
  return form;
}

OperatorForm AveragePooling(const FormContext& context) {
  OperatorForm form(QC_AVG_POOL);
  form.operands = {FirstOperand(context)};
  FillWindow(context, form);
  form.attributes.ceil_mode = context.Boolean(4, "ceil_mode", false) ? 1 : 0;
  form.attributes.count_include_pad =
      context.Boolean(5, "count_include_pad", true) ? 1 : 0;
  const std::vector<int64_t> divisor = context.Integers(6, "divisor_override");
  if (!divisor.empty()) form.attributes.divisor_override = divisor[0];
  return form;
}

// The output's size says what the windows are.
OperatorForm AdaptiveAveragePooling(const FormContext& context) {
  OperatorForm form(QC_ADAPTIVE_AVG_POOL);
  form.operands = {FirstOperand(context)};
  form.attributes.spatial_rank = SpatialRank(context);
  return form;
}

OperatorForm Mean(const FormContext& context) {
  OperatorForm form(QC_MEAN);
  form.operands = {FirstOperand(context)};
  const size_t rank = context.input().shape.size();
  const std::vector<int64_t> axes = context.arguments.Integers(1, "dim");
  for (int64_t axis : axes) form.attributes.axis_mask |= 1u << NormalizedAxis(axis, rank);
  if (axes.empty()) form.attributes.axis_mask = (1u << rank) - 1;
  form.attributes.keep_dimensions =
      context.arguments.Boolean(2, "keepdim", false) ? 1 : 0;
  const Argument* dtype = context.arguments.Find(3, "dtype");
  if (dtype != nullptr && !dtype->IsNone()) throw NoOperatorForm("it changes the dtype");
  return form;
}

}  // namespace qconform
