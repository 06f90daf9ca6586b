// Smallest and largest values: of a whole tensor, and of each channel.
#ifndef QCONFORM_REFERENCE_NUMERICS_VALUE_RANGE_H_
#define QCONFORM_REFERENCE_NUMERICS_VALUE_RANGE_H_

#include <vector>

#include "reference/ir/tensor.h"
#include "reference/numerics/channel_layout.h"

namespace qconform {

struct ValueRange {
  float min;
  float max;
};

// NaN if any value is NaN; which of two zeros is returned is the same on every machine
// and for every number of threads. Precondition: x is float32 and not empty.
// (torch.aminmax)
ValueRange MinMax(const Tensor& x);

struct ChannelRanges {
  std::vector<float> min;  // one value a channel
  std::vector<float> max;
};

// The same for each channel. (torch.aminmax over all axes but one)
ChannelRanges ChannelMinMax(const Tensor& x, const ChannelLayout& layout);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_VALUE_RANGE_H_
