#include "reference/numerics/error_bound/bounded_tensor.h"

#include "reference/numerics/abi_tensor.h"

namespace qconform {

BoundedValues ReadBounded(const qc_tensor& tensor) {
  BoundedValues values;
  values.reserve(static_cast<size_t>(ElementCount(tensor)));
  if (tensor.dtype == QC_F32) {
    for (const float value : ReadReal(tensor)) values.push_back(Exact(double{value}));
    return values;
  }
  for (const int32_t code : ReadIntegers(tensor)) {
    if (!IsQuantized(tensor)) {
      values.push_back(Exact(code));
      continue;
    }
    const auto index = static_cast<int64_t>(values.size());
    const int64_t channel = QuantizedChannel(tensor, index);
    const double steps = static_cast<double>(code) - ZeroPointAt(tensor, channel);
    // The difference of 32-bit codes is rounded, too.
    const double roundings = tensor.dtype == QC_S32 ? 2 : 1;
    values.push_back(Rounded(steps * double{ScaleAt(tensor, channel)}, 0, roundings));
  }
  return values;
}

int64_t QuantizedChannel(const qc_tensor& tensor, int64_t index) {
  if (tensor.quantized_axis < 0) return 0;
  const int64_t channels = tensor.shape[tensor.quantized_axis];
  const int64_t inner = SizeOf(tensor, tensor.quantized_axis + 1, tensor.rank);
  return channels == 0 || inner == 0 ? 0 : index / inner % channels;
}

Bounded InUnitsOf(const qc_tensor& y, int64_t index, const Bounded& real) {
  if (!IsQuantized(y)) return real;
  const int64_t channel = QuantizedChannel(y, index);
  const Bounded steps = DivideBy(real, double{ScaleAt(y, channel)});
  return Add(steps, Exact(ZeroPointAt(y, channel)));
}

int64_t SizeOf(const qc_tensor& tensor, int begin, int end) {
  int64_t size = 1;
  for (int i = begin; i < end; ++i) size *= tensor.shape[i];
  return size;
}

}  // namespace qconform
