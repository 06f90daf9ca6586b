// Borders made by hand, and height and width swapped.
#include <algorithm>
#include <utility>

#include "conformance/metamorphic/dense_tensor.h"
#include "conformance/metamorphic/relation.h"

namespace qconform {
namespace {

size_t Rank(const OperatorCall& call) {
  return static_cast<size_t>(call.attributes.spatial_rank);
}

// Padding.

std::string PaddingObjection(const OperatorCall& call) {
  const qc_attributes& a = call.attributes;
  const bool average =
      call.kind == QC_AVG_POOL && a.count_include_pad != 0 && a.ceil_mode == 0;
  if (call.kind != QC_CONV && !average)
    return "a convolution, or an average over the padding as well";
  if (a.padding_mode != QC_PADDING_ZEROS) return "padding with zeros";
  int64_t padding = 0;
  for (size_t d = 0; d < Rank(call); ++d)
    padding += a.padding_before[d] + a.padding_after[d];
  return padding == 0 ? "padding" : "";
}

OperatorCall FollowPadding(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  qc_attributes& a = other.attributes;
  CallTensor& x = *other.inputs[0];
  const size_t leading = x.shape.size() - Rank(call);
  for (size_t d = 0; d < Rank(call); ++d) {
    x = PaddedWithZeroPoint(x, static_cast<int>(leading + d), a.padding_before[d],
                            a.padding_after[d]);
    a.padding_before[d] = a.padding_after[d] = 0;
  }
  return other;
}

OutputBytes Same(const OperatorCall&, const OutputBytes& first) { return first; }

// The last two spatial dimensions.

std::string SwapObjection(const OperatorCall& call) {
  const bool conv = call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE;
  if (!conv && call.kind != QC_MAX_POOL && call.kind != QC_AVG_POOL)
    return "a convolution or pooling";
  if (Rank(call) < 2) return "at least two spatial dimensions";
  int64_t terms = 1;
  for (size_t d = 0; d < Rank(call); ++d)
    terms *= std::max<int64_t>(call.attributes.kernel[d], 1);
  if (conv)
    terms *= call.inputs[0]->shape[1] / std::max<int64_t>(call.attributes.groups, 1);
  return SumsObjection(terms);
}

CallTensor Swapped(const CallTensor& tensor) {
  const auto last = static_cast<int>(tensor.shape.size()) - 1;
  return WithAxesSwapped(tensor, last - 1, last);
}

OperatorCall FollowSwap(const OperatorCall& call, const OutputBytes&) {
  OperatorCall other = call;
  qc_attributes& a = other.attributes;
  const size_t last = Rank(call) - 1;
  for (int64_t* numbers : {a.kernel, a.stride, a.dilation, a.padding_before,
                           a.padding_after, a.output_padding})
    std::swap(numbers[last - 1], numbers[last]);
  // x, the weight, the residual; a bias has no space.
  for (const size_t i : {size_t{0}, size_t{1}, size_t{3}})
    if (i < other.inputs.size() && other.inputs[i])
      other.inputs[i] = Swapped(*other.inputs[i]);
  other.outputs[0] = Swapped(call.outputs[0]);
  return other;
}

OutputBytes ExpectSwap(const OperatorCall& call, const OutputBytes& first) {
  return {Swapped(WithData(call.outputs[0], first[0])).data};
}

constexpr Relation kRelations[] = {
    {"pad_with_zero_point", "padding by hand with the zero point's code gives the same",
     PaddingObjection, nullptr, FollowPadding, Same},
    {"swap_height_and_width",
     "the last two spatial dimensions swapped give the same, swapped", SwapObjection,
     MakeSumsExact, FollowSwap, ExpectSwap},
};

}  // namespace

std::span<const Relation> SpatialRelations() { return kRelations; }

}  // namespace qconform
