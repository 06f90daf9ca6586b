// Quantize and dequantize whole tensors, as torch's native operators do.
//
//   code = clamp(rint(x * (1/scale)) + zero_point, min, max)
//   real = (code - zero_point) * scale
//
// The reciprocal is taken in float32 of the float32 scale, rint rounds half to
// even, and the zero point is added after rounding. The rounding follows the
// floating-point environment as torch's does; qconform runs with the default one
// (round to nearest) and never changes it.
#ifndef QCONFORM_REFERENCE_NUMERICS_QUANTIZE_H_
#define QCONFORM_REFERENCE_NUMERICS_QUANTIZE_H_

#include <cstdint>
#include <span>

#include "reference/ir/dtype.h"
#include "reference/ir/tensor.h"

namespace qconform {

// What happens where torch's per tensor operator leaves its definition: NaN,
// infinities and values whose code does not fit into 32 bits.
enum class QuantizeMode {
  // As torch 2.14 on x86: limited to 2147483520, the zero point added with 32-bit
  // wrap-around. +inf and NaN give 0 for a quint8 zero point above 127, -inf gives
  // 127 for a negative qint8 zero point.
  kTorch,
  // Saturates; NaN gives code 0 (clamped to the range).
  kStrict,
};

// x float32 -> codes of `dtype` (quint8, qint8, qint32, or a plain integer dtype)
// with quantization() set. `dtype`'s whole range is used. (torch.quantize_per_tensor)
// Throws PipelineError("RuntimeError") if x is not float32 or zero_point lies
// outside the dtype.
Tensor QuantizePerTensor(const Tensor& x, double scale, int64_t zero_point, DType dtype,
                         QuantizeMode mode = QuantizeMode::kTorch);

// scales and zero_points hold one value a slice of `axis`. Saturates in both modes;
// NaN gives code 0. (torch.quantize_per_channel with integer zero points)
Tensor QuantizePerChannel(const Tensor& x, std::span<const double> scales,
                          std::span<const double> zero_points, int axis, DType dtype);

// code = clamp(rint(x * (1/scale) + zero_point)): the float zero point is added
// before rounding. In torch mode only the low 32 bits of the rounded value count.
// (torch.quantize_per_channel, per_channel_affine_float_qparams)
Tensor QuantizePerChannelFloatQparams(const Tensor& x, std::span<const double> scales,
                                      std::span<const double> zero_points, int axis,
                                      DType dtype,
                                      QuantizeMode mode = QuantizeMode::kTorch);

// codes with quantization() set -> float32: (code - zero_point) * scale. The
// subtraction is exact for integer zero points and rounded to float32 for fractions
// (per_channel_affine_float_qparams). (torch.Tensor.dequantize)
Tensor Dequantize(const Tensor& codes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_QUANTIZE_H_
