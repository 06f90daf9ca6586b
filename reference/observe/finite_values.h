// What strict mode shows an observer: the finite elements.
#ifndef QCONFORM_REFERENCE_OBSERVE_FINITE_VALUES_H_
#define QCONFORM_REFERENCE_OBSERVE_FINITE_VALUES_H_

#include <cstdint>

#include "reference/ir/tensor.h"
#include "reference/numerics/value_range.h"

namespace qconform {

// The finite elements of a float32 tensor in order, as one axis; x itself if all are.
// `left_out` grows by the number of the others.
Tensor FiniteValues(const Tensor& x, int64_t& left_out);

// ChannelMinMax over the finite elements; +inf and -inf for a channel that has none.
ChannelRanges FiniteChannelMinMax(const Tensor& x, const ChannelLayout& layout,
                                  int64_t& left_out);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_FINITE_VALUES_H_
