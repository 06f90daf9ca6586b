#include "reference/observe/quant_range.h"

#include <string>

#include "reference/ir/error.h"
#include "reference/numerics/qparams_from_range.h"

namespace qconform {
namespace {

bool IsSigned8(DType dtype) { return dtype == DType::kQInt8 || dtype == DType::kInt8; }
bool IsUnsigned8(DType dtype) {
  return dtype == DType::kQUInt8 || dtype == DType::kUInt8;
}
bool IsSigned32(DType dtype) { return dtype == DType::kQInt32 || dtype == DType::kInt32; }

int64_t HalveDown(int64_t value) { return value >= 0 ? value / 2 : (value - 1) / 2; }

QuantRange CustomRange(int64_t min, int64_t max, DType dtype, bool reduce_range) {
  RequireQuantRange(min, max);
  const int64_t length = max - min + 1;
  if ((IsSigned8(dtype) && length > 256) ||
      (IsSigned32(dtype) && length > (int64_t{1} << 32))) {
    throw PipelineError("AssertionError",
                        "the quantization range exceeds the bits of the dtype");
  }
  if (reduce_range) return {HalveDown(min), HalveDown(max), true};
  return {min, max, true};
}

}  // namespace

bool IsObservedDType(DType dtype) {
  switch (dtype) {
    case DType::kQInt8:
    case DType::kQUInt8:
    case DType::kQUInt4x2:
    case DType::kQInt32:
    case DType::kInt8:
    case DType::kUInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kUInt16:
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
      return true;
    default:
      return false;
  }
}

QuantRange CalculateQuantRange(std::optional<int64_t> quant_min,
                               std::optional<int64_t> quant_max, DType dtype,
                               bool reduce_range, Mode mode) {
  if (mode == Mode::kStrict && (quant_min || quant_max)) {
    const QuantRange all = CalculateQuantRange({}, {}, dtype, false);
    if (!quant_min) quant_min = all.min;
    if (!quant_max) quant_max = all.max;
    if (*quant_min < all.min || *quant_max > all.max) {
      throw PipelineError("AssertionError", "the quantization range " +
                                                std::to_string(*quant_min) + " to " +
                                                std::to_string(*quant_max) +
                                                " has codes that are none of " +
                                                std::string(DTypeName(dtype)));
    }
  }
  if (quant_min && quant_max) {
    return CustomRange(*quant_min, *quant_max, dtype, reduce_range);
  }
  if (IsSigned8(dtype)) {
    return reduce_range ? QuantRange{-64, 63, false} : QuantRange{-128, 127, false};
  }
  if (IsUnsigned8(dtype)) return {0, reduce_range ? 127 : 255, false};
  if (IsSigned32(dtype) || dtype == DType::kInt16 || dtype == DType::kUInt16) {
    const IntegerRange range = CodeRange(dtype);
    return {range.min, range.max, false};
  }
  return {0, 15, false};
}

}  // namespace qconform
