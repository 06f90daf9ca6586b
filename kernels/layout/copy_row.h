// Short runs of bytes, copied.
#ifndef QCONFORM_KERNELS_LAYOUT_COPY_ROW_H_
#define QCONFORM_KERNELS_LAYOUT_COPY_ROW_H_

#include <cstdint>
#include <cstring>

namespace qconform::kernels {

// to[i] = from[i], whose last vector overlaps the one before: short rows are many, and
// not worth a call of memcpy.
inline void CopyRow(const uint8_t* from, uint8_t* to, int64_t count) {
  constexpr int64_t kVector = 16;
  if (count >= 512) {
    std::memcpy(to, from, static_cast<size_t>(count));
  } else if (count >= kVector) {
    for (int64_t i = 0; i + kVector <= count; i += kVector)
      std::memcpy(to + i, from + i, kVector);
    std::memcpy(to + count - kVector, from + count - kVector, kVector);
  } else if (count >= 8) {
    std::memcpy(to, from, 8);
    std::memcpy(to + count - 8, from + count - 8, 8);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i];
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_COPY_ROW_H_
