// torch.ops.quantized_decomposed: quantize and dequantize over plain integer
// tensors with explicit bounds, as decomposed reference graphs use them.
//
// They differ from the native operators in three ways: the reciprocal is the
// double 1/scale rounded to float32, codes are clamped to the given bounds rather
// than to the dtype's range, and every value saturates (NaN gives code 0). The
// rounding follows the floating-point environment, as theirs does.
#ifndef QCONFORM_REFERENCE_NUMERICS_DECOMPOSED_H_
#define QCONFORM_REFERENCE_NUMERICS_DECOMPOSED_H_

#include <cstdint>
#include <span>

#include "reference/ir/dtype.h"
#include "reference/ir/tensor.h"

namespace qconform {

// x float32, float16 or bfloat16 -> codes of a plain integer `dtype`. The zero
// point is not range-checked. Throws PipelineError("AssertionError") for another
// dtype of x and for bounds outside `dtype`.
// (quantized_decomposed.quantize_per_tensor)
Tensor DecomposedQuantizePerTensor(const Tensor& x, double scale, int64_t zero_point,
                                   int64_t quant_min, int64_t quant_max, DType dtype);

// (code - zero_point) * scale in float32, rounded to `out_dtype`.
// (quantized_decomposed.dequantize_per_tensor)
Tensor DecomposedDequantizePerTensor(const Tensor& codes, double scale,
                                     int64_t zero_point, int64_t quant_min,
                                     int64_t quant_max,
                                     DType out_dtype = DType::kFloat32);

// One scale and zero point a slice of `axis`.
// (quantized_decomposed.quantize_per_channel)
Tensor DecomposedQuantizePerChannel(const Tensor& x, std::span<const double> scales,
                                    std::span<const double> zero_points, int axis,
                                    int64_t quant_min, int64_t quant_max, DType dtype);

// (quantized_decomposed.dequantize_per_channel)
Tensor DecomposedDequantizePerChannel(const Tensor& codes, std::span<const double> scales,
                                      std::span<const double> zero_points, int axis,
                                      int64_t quant_min, int64_t quant_max,
                                      DType out_dtype = DType::kFloat32);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_DECOMPOSED_H_
