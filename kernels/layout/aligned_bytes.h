// Memory on a cache line's boundary.
#ifndef QCONFORM_KERNELS_LAYOUT_ALIGNED_BYTES_H_
#define QCONFORM_KERNELS_LAYOUT_ALIGNED_BYTES_H_

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace qconform::kernels {

inline constexpr std::size_t kAlignment = 64;

inline std::size_t AlignUp(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Zero-filled; throws std::bad_alloc.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size)
      : data_(static_cast<std::byte*>(
            ::operator new (AlignUp(size), std::align_val_t{kAlignment}))) {
    std::memset(data_.get(), 0, AlignUp(size));
  }

  template <typename T>
  T* As() {
    return reinterpret_cast<T*>(data_.get());
  }
  template <typename T>
  const T* As() const {
    return reinterpret_cast<const T*>(data_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* data) const {
      ::operator delete (data, std::align_val_t{kAlignment});
    }
  };
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_ALIGNED_BYTES_H_
