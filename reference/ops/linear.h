// Products of matrices.
#ifndef QCONFORM_REFERENCE_OPS_LINEAR_H_
#define QCONFORM_REFERENCE_OPS_LINEAR_H_

#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

// input [..., in], weight [out, in] or [in], bias [out] or nullptr; summed over `in` as
// column_product.h says. Floating dtypes but float64.
Tensor Linear(const Tensor& input, const Tensor& weight, const Tensor* bias,
              const Call& call);

// torch.matmul: vectors, matrices and broadcast batches of matrices.
Tensor MatrixProduct(const Tensor& a, const Tensor& b, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_LINEAR_H_
