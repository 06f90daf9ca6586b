// The codes that an observer may use.
#ifndef QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_
#define QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_

#include <cstdint>
#include <optional>

#include "reference/config/mode.h"
#include "reference/ir/dtype.h"

namespace qconform {

// dtypes that uniform observers accept.
bool IsObservedDType(DType dtype);

struct QuantRange {
  int64_t min;
  int64_t max;
  bool customized;  // bounds were given
};

// Given bounds, or the dtype's (0..15 for whatever is not an 8, 16 or 32-bit
// integer). `reduce_range` halves given bounds rounding down, and takes a bit off the
// 8-bit dtypes' own range. Throws PipelineError("AssertionError") for bounds that do
// not contain 0, are empty, or are too long for an 8 or 32-bit signed dtype.
// (torch.ao.quantization.utils.calculate_qmin_qmax) torch ignores a lone bound; strict
// mode takes the other one from the dtype, as documented, and refuses bounds that are no
// codes of the dtype.
QuantRange CalculateQuantRange(std::optional<int64_t> quant_min,
                               std::optional<int64_t> quant_max, DType dtype,
                               bool reduce_range, Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QUANT_RANGE_H_
