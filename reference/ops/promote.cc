#include "reference/ops/promote.h"

#include <cassert>

namespace qconform {
namespace {

int Kind(DType dtype) {
  if (IsFloatingDType(dtype)) return 2;
  return dtype == DType::kBool ? 0 : 1;
}

// The operand's say: rank 2 for dimensions, 1 for a tensor of shape [], 0 for a number.
struct Operand {
  DType dtype;
  int rank;
};

Operand OperandOf(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) {
    return {tensor->dtype(), tensor->rank() > 0 ? 2 : 1};
  }
  if (value.As<bool>() != nullptr) return {DType::kBool, 0};
  if (value.As<int64_t>() != nullptr) return {DType::kInt64, 0};
  return {DType::kFloat32, 0};
}

}  // namespace

DType PromoteTypes(DType a, DType b) {
  if (a == b) return a;
  if (Kind(a) != Kind(b)) return Kind(a) > Kind(b) ? a : b;
  if (Kind(a) == 2) {
    if (a == DType::kFloat64 || b == DType::kFloat64) return DType::kFloat64;
    return DType::kFloat32;  // float16 with bfloat16, or either with float32
  }
  const size_t size_a = ItemSize(a);
  const size_t size_b = ItemSize(b);
  const DType larger = size_a >= size_b ? a : b;
  const DType smaller = size_a >= size_b ? b : a;
  if (CodeRange(smaller).min >= CodeRange(larger).min &&
      CodeRange(smaller).max <= CodeRange(larger).max) {
    return larger;
  }
  return size_a == 1 && size_b == 1 ? DType::kInt16 : DType::kInt64;
}

DType ResultType(const Value& a, const Value& b) {
  const Operand x = OperandOf(a);
  const Operand y = OperandOf(b);
  if (x.rank == y.rank) return PromoteTypes(x.dtype, y.dtype);
  const Operand& high = x.rank > y.rank ? x : y;
  const Operand& low = x.rank > y.rank ? y : x;
  if (Kind(low.dtype) <= Kind(high.dtype)) return high.dtype;
  // A number brings its kind, not its width: an integer tensor becomes float32.
  return low.dtype;
}

Tensor AsTensor(const Value& value) {
  if (const Tensor* tensor = value.As<Tensor>()) return *tensor;
  if (const bool* flag = value.As<bool>()) {
    return Tensor::FromVector<uint8_t>(DType::kBool, {}, {static_cast<uint8_t>(*flag)});
  }
  if (const int64_t* integer = value.As<int64_t>()) {
    return Tensor::FromVector<int64_t>(DType::kInt64, {}, {*integer});
  }
  const double* real = value.As<double>();
  assert(real != nullptr);
  return Tensor::FromVector<double>(DType::kFloat64, {}, {*real});
}

bool IsNumber(const Value& value) {
  return value.As<bool>() != nullptr || value.As<int64_t>() != nullptr ||
         value.As<double>() != nullptr;
}

DType FloatingResult(DType dtype) {
  return IsFloatingDType(dtype) ? dtype : DType::kFloat32;
}

}  // namespace qconform
