// A halide_buffer_t over memory that somebody else owns.
#ifndef QCONFORM_KERNELS_LAYOUT_BUFFER_VIEW_H_
#define QCONFORM_KERNELS_LAYOUT_BUFFER_VIEW_H_

#include <HalideRuntime.h>

#include <array>
#include <cstdint>
#include <type_traits>

namespace qconform::kernels {

struct Dimension {
  int32_t extent;
  int32_t stride;  // elements
};

// The kernels read host, extents and strides only; every minimum is zero.
template <int kRank>
class BufferView {
 public:
  template <typename T>
  BufferView(const T* data, const std::array<Dimension, kRank>& dimensions) {
    buffer_.host = reinterpret_cast<uint8_t*>(const_cast<T*>(data));
    buffer_.type = halide_type_of<std::remove_const_t<T>>();
    buffer_.dimensions = kRank;
    buffer_.dim = dims_.data();
    for (int i = 0; i < kRank; ++i) {
      dims_[i] = halide_dimension_t(0, dimensions[i].extent, dimensions[i].stride);
    }
  }
  BufferView(const BufferView&) = delete;
  BufferView& operator=(const BufferView&) = delete;

  halide_buffer_t* get() { return &buffer_; }

 private:
  halide_buffer_t buffer_ = {};
  std::array<halide_dimension_t, kRank> dims_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_BUFFER_VIEW_H_
