// The observers' formula: scale and zero point of one observed range, in float32.
// (torch.ao.quantization.observer.UniformQuantizationObserverBase._calculate_qparams)
#ifndef QCONFORM_REFERENCE_NUMERICS_QPARAMS_FROM_RANGE_H_
#define QCONFORM_REFERENCE_NUMERICS_QPARAMS_FROM_RANGE_H_

#include <cstdint>

#include "reference/ir/dtype.h"
#include "reference/numerics/qscheme.h"

namespace qconform {

struct RangeRule {
  DType dtype = DType::kQUInt8;
  QScheme qscheme = QScheme::kPerTensorAffine;
  int64_t quant_min = 0;
  int64_t quant_max = 255;
  // Moves the zero point of a symmetric 8-bit unsigned range from 128 to the
  // middle of the given bounds, rounded down.
  bool has_customized_qrange = false;
  float eps = 0x1p-23f;  // the smallest scale
  // torch subtracts in float32: a range wider than its largest number gives an infinite
  // scale. If false, the difference is taken in double.
  bool overflowing_range_is_infinite = true;
};

struct RangeQparams {
  float scale;
  // An integer except for per_channel_affine_float_qparams.
  double zero_point;
};

// Real zero always becomes a code: the range is widened to contain it. NaN and
// infinity pass into the scale.
RangeQparams QparamsFromRange(float min, float max, const RangeRule& rule);

// The zero point of a symmetric qscheme: 0 for signed dtypes, the middle of unsigned
// ones.
int64_t SymmetricZeroPoint(const RangeRule& rule);

// Throws PipelineError("AssertionError") unless quant_min <= 0 <= quant_max and
// quant_min < quant_max. (torch.ao.quantization.utils.validate_qmin_qmax)
void RequireQuantRange(int64_t quant_min, int64_t quant_max);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_QPARAMS_FROM_RANGE_H_
