#include "reference/ir/tensor.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "reference/ir/half.h"
#include "reference/ir/large_storage.h"

namespace qconform {

int64_t NumElements(const Shape& shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

std::string ShapeText(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + "]";
}

Tensor::Tensor() : dtype_(DType::kFloat32), shape_{0} {
  static const auto empty = std::make_shared<std::byte[]>(1);
  storage_ = empty;
}

Tensor::Tensor(DType dtype, Shape shape)
    : dtype_(dtype), shape_(std::move(shape)), numel_(NumElements(shape_)) {
  // One allocation for small tensors. The system hands out large ones zeroed: nothing
  // is written here.
  constexpr size_t kSmall = 1 << 16;
  const size_t size = byte_size();
  if (size <= kSmall) {
    storage_ = std::make_shared<std::byte[]>(size);
    return;
  }
  if (size >= kLargeStorage) {
    storage_ = LargeStorage(size, Contents::kZeros);
    return;
  }
  auto* bytes = static_cast<std::byte*>(std::calloc(size, 1));
  if (bytes == nullptr) throw std::bad_alloc();
  storage_ = std::shared_ptr<std::byte[]>(bytes, std::free);
}

Tensor Tensor::Uninitialized(DType dtype, Shape shape) {
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_ = std::move(shape);
  tensor.numel_ = NumElements(tensor.shape_);
  const size_t size = tensor.byte_size();
  tensor.storage_ = size >= kLargeStorage
                        ? LargeStorage(size, Contents::kAny)
                        : std::make_shared_for_overwrite<std::byte[]>(size);
  return tensor;
}

Tensor Tensor::OverStorage(DType dtype, Shape shape,
                           std::shared_ptr<std::byte[]> storage) {
  Tensor tensor;
  tensor.dtype_ = dtype;
  tensor.shape_ = std::move(shape);
  tensor.numel_ = NumElements(tensor.shape_);
  tensor.storage_ = std::move(storage);
  return tensor;
}

Tensor Tensor::Clone() const {
  Tensor copy = Uninitialized(dtype_, shape_);
  if (numel_ > 0) std::memcpy(copy.bytes(), bytes(), byte_size());
  copy.quantization_ = quantization_;
  return copy;
}

Tensor Tensor::Reshaped(Shape shape) const {
  assert(NumElements(shape) == numel_);
  Tensor view = *this;
  view.shape_ = std::move(shape);
  return view;
}

Tensor Tensor::ViewedAs(DType dtype) const {
  assert(ItemSize(dtype) == ItemSize(dtype_));
  Tensor view = *this;
  view.dtype_ = dtype;
  return view;
}

int64_t Tensor::IntegerAt(int64_t index) const {
  switch (dtype_) {
    case DType::kInt8:
    case DType::kQInt8:
      return data<int8_t>()[index];
    case DType::kUInt8:
    case DType::kQUInt8:
    case DType::kBool:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return data<uint8_t>()[index];
    case DType::kInt16:
      return data<int16_t>()[index];
    case DType::kUInt16:
      return data<uint16_t>()[index];
    case DType::kInt32:
    case DType::kQInt32:
      return data<int32_t>()[index];
    case DType::kInt64:
      return data<int64_t>()[index];
    default:
      return static_cast<int64_t>(ValueAt(index));
  }
}

double Tensor::ValueAt(int64_t index) const {
  switch (dtype_) {
    case DType::kFloat32:
      return data<float>()[index];
    case DType::kFloat64:
      return data<double>()[index];
    case DType::kFloat16:
      return HalfToFloat(data<uint16_t>()[index]);
    case DType::kBFloat16:
      return BFloat16ToFloat(data<uint16_t>()[index]);
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
      assert(false && "float8 values are not interpreted");
      return 0.0;
    default:
      return static_cast<double>(IntegerAt(index));
  }
}

bool BitEqual(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         a.quantization() == b.quantization() &&
         (a.numel() == 0 || std::memcmp(a.bytes(), b.bytes(), a.byte_size()) == 0);
}

}  // namespace qconform
