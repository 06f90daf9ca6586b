// Tensor elements in the type that arithmetic is done in: float for float32, float16
// and bfloat16, double for float64, int64_t for integers and bool.
#ifndef QCONFORM_REFERENCE_OPS_ELEMENTS_H_
#define QCONFORM_REFERENCE_OPS_ELEMENTS_H_

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

enum class ArithmeticType { kFloat, kDouble, kInteger };
ArithmeticType ArithmeticTypeOf(DType dtype);

// Whether elements of `dtype` are stored as T (float, double or int64_t).
template <typename T>
constexpr bool IsStoredAs(DType dtype) {
  if (std::is_same_v<T, float>) return dtype == DType::kFloat32;
  if (std::is_same_v<T, double>) return dtype == DType::kFloat64;
  return dtype == DType::kInt64;
}

// All elements, converted. T is float, double or int64_t.
template <typename T>
std::vector<T> ReadElements(const Tensor& tensor);
// Rounds (half to even) or wraps into the tensor's dtype; bool becomes value != 0.
template <typename T>
void WriteElements(const std::vector<T>& values, Tensor& tensor);

// Reads without a copy where the stored type is T.
template <typename T>
class ElementReader {
 public:
  explicit ElementReader(const Tensor& tensor) : tensor_(tensor) {
    if (IsStoredAs<T>(tensor.dtype())) {
      data_ = tensor.data<T>();
    } else {
      converted_ = ReadElements<T>(tensor);
      data_ = converted_.data();
    }
  }
  ElementReader(const ElementReader&) = delete;
  ElementReader& operator=(const ElementReader&) = delete;
  const T* data() const { return data_; }

 private:
  Tensor tensor_;
  std::vector<T> converted_;
  const T* data_;
};

// A new tensor whose elements fill(T* data) writes.
template <typename T, typename Fill>
Tensor MakeTensor(DType dtype, Shape shape, Fill fill) {
  Tensor tensor(dtype, std::move(shape));
  if (IsStoredAs<T>(dtype)) {
    fill(tensor.data<T>());
  } else {
    std::vector<T> values(static_cast<size_t>(tensor.numel()));
    fill(values.data());
    WriteElements<T>(values, tensor);
  }
  return tensor;
}

// The same values in another dtype: torch's Tensor.to. Shares storage if it has the
// dtype already.
Tensor Cast(const Tensor& tensor, DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_ELEMENTS_H_
