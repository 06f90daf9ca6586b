// The attributes of a row's operator: every field where the ABI has it, zero where the
// operator has no such field.
#include <algorithm>

#include "conformance/cases/row_operator.h"

namespace qconform {
namespace {

template <typename Target, size_t N>
void Copy(const Numbers& numbers, Target (&target)[N]) {
  std::copy_n(numbers.begin(), std::min(numbers.size(), N), target);
}

float FirstOr(const Reals& reals, float otherwise) {
  return reals.empty() ? otherwise : reals[0];
}

// The place of a text among its field's choices: the ABI's enumerators are in the same
// order. 0 for a text that is not there.
int32_t ChoiceOf(std::string_view column, const std::string& text) {
  const auto& choices = FieldOfColumn(column).choices;
  const auto found = std::find(choices.begin(), choices.end(), text);
  return found == choices.end() ? 0 : static_cast<int32_t>(found - choices.begin());
}

void SetFused(const SuiteRow& row, qc_attributes& a) {
  a.activation = ChoiceOf("activation", row.activation);
  if (a.activation == QC_ACTIVATION_CLAMP) {
    a.activation_min = FirstOr(row.minimum, 0);
    a.activation_max = FirstOr(row.maximum, 0);
  }
  if (a.activation == QC_ACTIVATION_LEAKY_RELU)
    a.activation_alpha = FirstOr(row.alpha, 0);
}

bool IsNorm(qc_operator_kind kind) {
  return kind >= QC_BATCH_NORM && kind <= QC_LAYER_NORM;
}

}  // namespace

qc_attributes AttributesOf(const SuiteRow& row) {
  const qc_operator_kind kind = FindRowOperator(row.operator_name)->kind;
  qc_attributes a = EmptyAttributes();
  SetFused(row, a);
  a.spatial_rank = static_cast<int32_t>(row.size.size());
  Copy(row.kernel, a.kernel);
  Copy(row.stride, a.stride);
  Copy(row.dilation, a.dilation);
  Copy(row.output_padding, a.output_padding);
  if (kind == QC_PAD) {
    Copy(row.padding.before, a.start);
    Copy(row.padding.after, a.stop);
  } else {
    Copy(row.padding.before, a.padding_before);
    Copy(row.padding.after, a.padding_after);
  }
  if (kind == QC_CONV || kind == QC_CONV_TRANSPOSE) a.groups = row.groups;
  a.padding_mode = ChoiceOf("padding_mode", row.padding_mode);
  a.ceil_mode = row.ceil;
  a.count_include_pad = row.include_pad;
  a.divisor_override = row.divisor;
  a.residual = row.residual;
  if (kind == QC_CLAMP) {
    a.minimum = FirstOr(row.minimum, 0);
    a.maximum = FirstOr(row.maximum, 0);
  }
  if (a.activation != QC_ACTIVATION_LEAKY_RELU) a.alpha = FirstOr(row.alpha, 0);
  if (IsNorm(kind)) a.epsilon = FirstOr(row.epsilon, 1e-5f);
  a.scalar = FirstOr(row.scalar, 0);
  a.scalar_first = row.scalar_first;
  if (row.axis >= 0) a.axis = row.axis;
  if (kind == QC_MEAN)
    for (const int64_t axis : row.axes) a.axis_mask |= 1u << axis;
  a.keep_dimensions = row.keep;
  if (kind == QC_TRANSPOSE) Copy(row.axes, a.permutation);
  if (kind == QC_SLICE) {
    Copy(row.start, a.start);
    Copy(row.stop, a.stop);
    Copy(row.step, a.step);
  }
  a.interpolation = ChoiceOf("interpolation", row.interpolation);
  a.align_corners = row.align;
  for (size_t d = 0; d < std::min<size_t>(row.scale_factor.size(), 3); ++d)
    a.scale_factor[d] = row.scale_factor[d];
  a.factor = row.factor;
  a.group_count = row.group_count;
  a.reduction = ChoiceOf("reduction", row.reduction);
  a.include_last_offset = row.include_last;
  a.padding_index = row.padding_index;
  a.approximate_tanh = row.approximate;
  const bool recurrent = kind == QC_LSTM || kind == QC_GRU;
  a.dynamic = (kind == QC_LINEAR || recurrent) && row.x == QC_F32 && !row.dequantized;
  if (recurrent) {
    a.hidden_size = row.hidden;
    a.layers = row.layers;
    a.bidirectional = row.bidirectional;
    a.batch_first = row.batch_first;
  }
  a.reduce_range = row.reduce_range;
  return a;
}

}  // namespace qconform
