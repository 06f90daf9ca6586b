// Dense tensors cut, turned and padded along their dimensions, qparams included.
#ifndef QCONFORM_CONFORMANCE_METAMORPHIC_DENSE_TENSOR_H_
#define QCONFORM_CONFORMANCE_METAMORPHIC_DENSE_TENSOR_H_

#include <cstdint>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

// Slices along a dimension, in this order.
using Order = std::vector<int64_t>;

// The second half of `size` slices.
Order SecondHalf(int64_t size);
// Each of `groups` equal parts reversed.
Order ReversedWithin(int64_t size, int64_t groups);
// The parts in reversed order, each as it is.
Order ReversedGroups(int64_t size, int64_t groups);

// The slices of dimension `axis` that `order` names. Data may be missing, as of outputs.
CallTensor Gathered(const CallTensor& tensor, int axis, const Order& order);

CallTensor WithAxesSwapped(const CallTensor& tensor, int a, int b);

// More slices of the zero point's code (0.0) around those of dimension `axis`.
CallTensor PaddedWithZeroPoint(const CallTensor& tensor, int axis, int64_t before,
                               int64_t after);

// `tensor` with `data`.
CallTensor WithData(const CallTensor& tensor, const std::vector<std::byte>& data);

// Twice the real value of every element: of its scale, or of its data in float.
void Double(CallTensor& tensor);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_METAMORPHIC_DENSE_TENSOR_H_
