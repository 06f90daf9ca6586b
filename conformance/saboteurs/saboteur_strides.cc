// Faults in how strides are read: each takes some of them for those of dense memory.
#include <algorithm>

#include "conformance/saboteurs/saboteur_plan.h"

namespace saboteur {
namespace {

bool IsChannelsLast(const qc_tensor& t) {
  return t.rank >= 3 && t.stride[1] == ItemBytes(t) && t.shape[1] > 1;
}

// Where what follows `d` ends. The stride of one element says nothing.
int64_t EndOfInner(const qc_tensor& t, int d) {
  int64_t end = ItemBytes(t);
  for (int inner = d + 1; inner < t.rank; ++inner)
    if (t.shape[inner] > 1) end = std::max(end, t.stride[inner] * t.shape[inner]);
  return end;
}

// From dimension `last` outwards, each behind the one before.
void TakeForDense(qc_tensor& t, int last) {
  for (int d = last; d >= 0; --d) t.stride[d] = EndOfInner(t, d);
}

// Neither of the two orders that have a name.
bool IsPermuted(const qc_tensor& t) {
  if (IsChannelsLast(t)) return false;
  for (int outer = 0; outer < t.rank; ++outer)
    for (int inner = outer + 1; inner < t.rank; ++inner)
      if (t.shape[outer] > 1 && t.shape[inner] > 1 && t.stride[outer] < t.stride[inner])
        return true;
  return false;
}

// Channels last, without what lies behind each pixel's channels.
void TakePixelsForDense(qc_tensor& t) {
  int64_t dense = ItemBytes(t) * t.shape[1];
  for (int i = t.rank - 1; i >= 0; --i) {
    if (i == 1) continue;
    t.stride[i] = dense;
    dense *= t.shape[i];
  }
}

void Misread(qc_tensor& t, Fault fault) {
  const int last = t.rank - 1;
  const bool channels_last = IsChannelsLast(t);
  switch (fault) {
    case Fault::strides_ignored:
      if (channels_last) TakeForDense(t, last);
      break;
    case Fault::row_gaps_ignored:
      if (!channels_last) TakeForDense(t, last);
      break;
    case Fault::plane_gaps_ignored:
      if (!channels_last && !IsPermuted(t) && t.rank >= 3) TakeForDense(t, last - 2);
      break;
    case Fault::image_gaps_ignored:
      if (!channels_last && !IsPermuted(t) && t.rank >= 4) TakeForDense(t, 0);
      break;
    case Fault::pixel_gaps_ignored:
      if (channels_last) TakePixelsForDense(t);
      break;
    case Fault::permuted_as_contiguous:
      if (IsPermuted(t)) TakeForDense(t, last);
      break;
    case Fault::elements_taken_as_dense:
      if (!channels_last && !IsPermuted(t) && last >= 0) t.stride[last] = ItemBytes(t);
      break;
    default:
      break;
  }
}

}  // namespace

void MisreadInputs(std::vector<const qc_tensor*>& inputs,
                   std::array<qc_tensor, 2>& misread) {
  for (size_t i = 0; i < misread.size() && i < inputs.size(); ++i) {
    // Of constants there is nothing in run.
    if (inputs[i] == nullptr) continue;
    misread[i] = *inputs[i];
    if (i == 0) Misread(misread[i], kFault);
    if (i == 1 && kFault == Fault::strides_of_second_ignored)
      TakeForDense(misread[i], misread[i].rank - 1);
    inputs[i] = &misread[i];
  }
}

qc_tensor MisreadOutput(const qc_tensor& y) {
  qc_tensor seen = y;
  if (kFault == Fault::output_plane_gaps_ignored)
    Misread(seen, Fault::plane_gaps_ignored);
  if (kFault == Fault::output_image_gaps_ignored)
    Misread(seen, Fault::image_gaps_ignored);
  return seen;
}

void WriteIntoGap(const qc_tensor& y) {
  if (kFault != Fault::writes_into_gaps) return;
  if (IsPermuted(y) || IsChannelsLast(y)) return;
  // Behind the first row, plane or image that another does not follow at once.
  for (int d = y.rank - 2; d >= 0; --d) {
    const int64_t end = EndOfInner(y, d);
    if (y.shape[d] < 2 || y.stride[d] <= end) continue;
    auto* byte = static_cast<volatile uint8_t*>(y.data) + end;
    *byte = *byte ^ 1;
    return;
  }
}

}  // namespace saboteur
