// Quantize and dequantize in one step, in float32: the forward of training-time
// quantization.
//
//   code = clamp(rint(x * (1/scale)) + zero_point, quant_min, quant_max)
//   y    = (code - zero_point) * scale
//
// The rounding follows the floating-point environment, as in quantize.h.
#ifndef QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_H_
#define QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_H_

#include <cstdint>
#include <span>

#include "reference/ir/tensor.h"

namespace qconform {

struct FakeQuantized {
  Tensor y;  // float32, the shape of x
  // bool: true where the gradient passes (the code was not clamped); empty if it was not
  // asked for.
  Tensor mask;
};

// NaN gives the value of quant_min; infinities saturate.
// (torch.fake_quantize_per_tensor_affine; range checks are the caller's)
FakeQuantized FakeQuantizePerTensor(const Tensor& x, float scale, int64_t zero_point,
                                    int64_t quant_min, int64_t quant_max,
                                    bool with_mask = true);

// NaN, infinities and products that overflow to infinity give the value of
// quant_min. Zero points may be fractions (per_channel_affine_float_qparams); they
// are then added before rounding, in one fused multiply-add. With `infinities_saturate`
// only NaN gives the value of quant_min.
// (torch.fake_quantize_per_channel_affine)
FakeQuantized FakeQuantizePerChannel(const Tensor& x, std::span<const double> scales,
                                     std::span<const double> zero_points,
                                     bool float_zero_points, int axis, int64_t quant_min,
                                     int64_t quant_max, bool with_mask = true,
                                     bool infinities_saturate = false);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_FAKE_QUANTIZE_H_
