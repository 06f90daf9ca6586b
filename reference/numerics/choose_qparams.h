// Quantization parameters from a range: the three routines that torch has besides
// the observers' one.
#ifndef QCONFORM_REFERENCE_NUMERICS_CHOOSE_QPARAMS_H_
#define QCONFORM_REFERENCE_NUMERICS_CHOOSE_QPARAMS_H_

#include <cstdint>

#include "reference/ir/dtype.h"
#include "reference/ir/tensor.h"

namespace qconform {

struct ChosenQparams {
  double scale;
  int64_t zero_point;
};

// The range [min, max] on the codes [quant_min, quant_max]. `symmetric` widens a
// two-sided range so that zero lies on the middle code; a one-sided range stays
// affine. A scale below 6.1e-5 is raised to it; an empty range gets 0.1.
// `reduce_range` halves both bounds, truncating. NaN gives the zero point -2^31.
// (at::native quantization ChooseQuantizationParams; used by the fused
// fake-quantize, quantize_per_tensor_dynamic and the dynamic operators)
ChosenQparams ChooseQuantizationParams(float min, float max, int32_t quant_min,
                                       int32_t quant_max, bool symmetric = false,
                                       bool reduce_range = false);

// Affine parameters of x's own range (an empty x has the range [0, 0]), then
// QuantizePerTensor. (torch.quantize_per_tensor_dynamic)
Tensor QuantizePerTensorDynamic(const Tensor& x, DType dtype, bool reduce_range);

// (quantized_decomposed.choose_qparams.tensor): the observers' affine formula in
// float32, the scale at least eps. x float32, float16 or bfloat16.
ChosenQparams DecomposedChooseQparams(const Tensor& x, int64_t quant_min,
                                      int64_t quant_max, double eps, DType dtype);

// (quantized_decomposed.choose_qparams_symmetric.tensor)
ChosenQparams DecomposedChooseQparamsSymmetric(const Tensor& x, int64_t quant_min,
                                               int64_t quant_max, double eps,
                                               DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_CHOOSE_QPARAMS_H_
