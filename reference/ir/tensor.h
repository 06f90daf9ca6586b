// A dense tensor in host memory, row-major, with torch's optional quantization
// parameters. Copies share storage, as torch's views do; Clone() does not.
#ifndef QCONFORM_REFERENCE_IR_TENSOR_H_
#define QCONFORM_REFERENCE_IR_TENSOR_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reference/ir/dtype.h"

namespace qconform {

using Shape = std::vector<int64_t>;

// Number of elements of a shape; 1 for the empty shape.
int64_t NumElements(const Shape& shape);

// "[2, 3]"
std::string ShapeText(const Shape& shape);

// Parameters of a quantized tensor: real = (code - zero_point) * scale. One
// value each for per tensor (axis -1), one a slice of `axis` otherwise. Zero
// points are integers except for per_channel_affine_float_qparams.
struct QuantizationParameters {
  std::vector<double> scale;
  std::vector<double> zero_point;
  int axis = -1;
  bool operator==(const QuantizationParameters&) const = default;
};

class Tensor {
 public:
  // float32 of shape [0].
  Tensor();
  // Elements start as zero.
  Tensor(DType dtype, Shape shape);
  // For who writes every element before it is read: saves a pass over the memory.
  static Tensor Uninitialized(DType dtype, Shape shape);
  // Over memory that `storage` keeps, e.g. a mapped file. Precondition: byte_size() bytes
  // that are aligned to the dtype's size and may be written to.
  static Tensor OverStorage(DType dtype, Shape shape,
                            std::shared_ptr<std::byte[]> storage);

  template <typename T>
  static Tensor FromVector(DType dtype, Shape shape, const std::vector<T>& values) {
    Tensor tensor(dtype, std::move(shape));
    assert(tensor.numel() == static_cast<int64_t>(values.size()));
    std::copy(values.begin(), values.end(), tensor.data<T>());
    return tensor;
  }

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  int64_t dim(int axis) const { return shape_[static_cast<size_t>(axis)]; }
  int rank() const { return static_cast<int>(shape_.size()); }
  int64_t numel() const { return numel_; }
  size_t byte_size() const { return static_cast<size_t>(numel_) * ItemSize(dtype_); }

  // The caller picks a T of the dtype's size (codes of quint8 are uint8_t).
  template <typename T>
  T* data() {
    assert(sizeof(T) == ItemSize(dtype_));
    return reinterpret_cast<T*>(storage_.get());
  }
  template <typename T>
  const T* data() const {
    assert(sizeof(T) == ItemSize(dtype_));
    return reinterpret_cast<const T*>(storage_.get());
  }
  std::byte* bytes() { return storage_.get(); }
  const std::byte* bytes() const { return storage_.get(); }

  const std::optional<QuantizationParameters>& quantization() const {
    return quantization_;
  }
  void set_quantization(QuantizationParameters parameters) {
    quantization_ = std::move(parameters);
  }

  Tensor Clone() const;
  // Same storage under another shape. Precondition: equal element counts.
  Tensor Reshaped(Shape shape) const;
  // Same storage read as another dtype of the same size (uint8 <-> quint8).
  Tensor ViewedAs(DType dtype) const;

  // Element `index` in row-major order, converted.
  double ValueAt(int64_t index) const;
  int64_t IntegerAt(int64_t index) const;

 private:
  DType dtype_;
  Shape shape_;
  int64_t numel_ = 0;
  std::shared_ptr<std::byte[]> storage_;
  std::optional<QuantizationParameters> quantization_;
};

// Same dtype, shape, quantization parameters and bytes.
bool BitEqual(const Tensor& a, const Tensor& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_TENSOR_H_
