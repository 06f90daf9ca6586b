// The codes that an observer may use.
#ifndef QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_
#define QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_

#include <cstdint>
#include <optional>

#include "reference/ir/dtype.h"

namespace qconform {

// dtypes that uniform observers accept.
bool IsObservedDType(DType dtype);

struct QuantRange {
  int64_t min;
  int64_t max;
  bool customized;  // both bounds were given; a lone bound is ignored
};

// Given bounds, or the dtype's (0..15 for whatever is not an 8, 16 or 32-bit
// integer). `reduce_range` halves given bounds rounding down, and takes a bit off the
// 8-bit dtypes' own range. Throws PipelineError("AssertionError") for bounds that do
// not contain 0, are empty, or are too long for an 8 or 32-bit signed dtype.
// (torch.ao.quantization.utils.calculate_qmin_qmax)
QuantRange CalculateQuantRange(std::optional<int64_t> quant_min,
                               std::optional<int64_t> quant_max, DType dtype,
                               bool reduce_range);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_
