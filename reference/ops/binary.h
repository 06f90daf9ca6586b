// Two-operand operators of tensors and Python numbers with torch's type promotion.
#ifndef QCONFORM_REFERENCE_OPS_BINARY_H_
#define QCONFORM_REFERENCE_OPS_BINARY_H_

#include "reference/ops/broadcast.h"
#include "reference/ops/call.h"
#include "reference/ops/promote.h"

namespace qconform {

// Throws InputError unless both operands are tensors without qparams or numbers.
void CheckOperands(const Call& call, const Value& a, const Value& b);

// A number for two numbers, a tensor of torch.result_type else. `op` is generic over
// float, double and int64_t; `always_floating` makes integers float32 (true division).
template <typename Operation>
Value Binary(const Call& call, const Value& a, const Value& b, Operation op,
             bool always_floating = false) {
  CheckOperands(call, a, b);
  if (IsNumber(a) && IsNumber(b)) {
    const bool real =
        always_floating || a.As<double>() != nullptr || b.As<double>() != nullptr;
    const Tensor x = AsTensor(a);
    const Tensor y = AsTensor(b);
    if (real) return static_cast<double>(op(x.ValueAt(0), y.ValueAt(0)));
    return static_cast<int64_t>(op(x.IntegerAt(0), y.IntegerAt(0)));
  }
  DType dtype = ResultType(a, b);
  if (always_floating) dtype = FloatingResult(dtype);
  const Tensor x = AsTensor(a);
  const Tensor y = AsTensor(b);
  switch (ArithmeticTypeOf(dtype)) {
    case ArithmeticType::kFloat:
      return BinaryMap<float, float>(x, y, dtype, call.where(), op);
    case ArithmeticType::kDouble:
      return BinaryMap<double, double>(x, y, dtype, call.where(), op);
    case ArithmeticType::kInteger:
      break;
  }
  return BinaryMap<int64_t, int64_t>(x, y, dtype, call.where(), op);
}

// As Binary, with a bool result.
template <typename Operation>
Value Compare(const Call& call, const Value& a, const Value& b, Operation op) {
  CheckOperands(call, a, b);
  const Tensor x = AsTensor(a);
  const Tensor y = AsTensor(b);
  if (IsNumber(a) && IsNumber(b)) return bool(op(x.ValueAt(0), y.ValueAt(0)));
  switch (ArithmeticTypeOf(ResultType(a, b))) {
    case ArithmeticType::kFloat:
      return BinaryMap<float, int64_t>(x, y, DType::kBool, call.where(), op);
    case ArithmeticType::kDouble:
      return BinaryMap<double, int64_t>(x, y, DType::kBool, call.where(), op);
    case ArithmeticType::kInteger:
      break;
  }
  return BinaryMap<int64_t, int64_t>(x, y, DType::kBool, call.where(), op);
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_BINARY_H_
