// One-operand operators over floating tensors.
#ifndef QCONFORM_REFERENCE_OPS_UNARY_H_
#define QCONFORM_REFERENCE_OPS_UNARY_H_

#include "reference/ops/broadcast.h"
#include "reference/ops/call.h"
#include "reference/ops/promote.h"

namespace qconform {

// Throws InputError if the tensor is quantized.
const Tensor& PlainTensor(const Call& call, size_t position, const char* keyword);

// op(x), generic over float and double; integers become float32 first.
template <typename Operation>
Tensor FloatingMap(const Tensor& x, Operation op) {
  const DType dtype = FloatingResult(x.dtype());
  if (dtype == DType::kFloat64) return UnaryMap<double>(x, dtype, op);
  return UnaryMap<float>(x, dtype, op);
}

// op(x), generic over float, double and int64_t, in the tensor's own dtype.
template <typename Operation>
Tensor SameTypeMap(const Tensor& x, Operation op) {
  switch (ArithmeticTypeOf(x.dtype())) {
    case ArithmeticType::kFloat:
      return UnaryMap<float>(x, x.dtype(), op);
    case ArithmeticType::kDouble:
      return UnaryMap<double>(x, x.dtype(), op);
    case ArithmeticType::kInteger:
      break;
  }
  return UnaryMap<int64_t>(x, x.dtype(), op);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_UNARY_H_
