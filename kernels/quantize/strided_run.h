// Elements that lie apart, or where no float may lie, beside each other and back.
#ifndef QCONFORM_KERNELS_QUANTIZE_STRIDED_RUN_H_
#define QCONFORM_KERNELS_QUANTIZE_STRIDED_RUN_H_

#include <cstdint>
#include <cstring>

namespace qconform::kernels {

// Elements of one conversion at most; two such buffers stay in the first cache.
inline constexpr int64_t kConversionPiece = 2048;

template <typename T>
void GatherAs(const char* from, int64_t stride, int64_t count, void* to) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char*>(to) + i * sizeof(T), from + i * stride, sizeof(T));
}

template <typename T>
void ScatterAs(const void* from, int64_t count, char* to, int64_t stride) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * stride, static_cast<const char*>(from) + i * sizeof(T),
                sizeof(T));
}

// bytes: 1 or 4, of an element. The elements where they are, or their copy in `room`.
inline const void* DenseRun(const char* from, int64_t stride, int64_t bytes,
                            int64_t count, void* room) {
  if (bytes == 1) {
    if (stride == 1 || count == 1) return from;
    GatherAs<uint8_t>(from, stride, count, room);
    return room;
  }
  const bool aligned = reinterpret_cast<uintptr_t>(from) % 4 == 0;
  if (aligned && (stride == 4 || count == 1)) return from;
  GatherAs<uint32_t>(from, stride, count, room);
  return room;
}

// Where to put elements side by side: at once where they belong, or in `room`, from where
// PutRun takes them.
inline void* RoomForRun(char* to, int64_t stride, int64_t bytes, int64_t count,
                        void* room) {
  const bool aligned =
      reinterpret_cast<uintptr_t>(to) % static_cast<uintptr_t>(bytes) == 0;
  return aligned && (stride == bytes || count == 1) ? to : room;
}

inline void PutRun(const void* from, int64_t bytes, int64_t count, char* to,
                   int64_t stride) {
  if (from == to) return;
  if (bytes == 1) {
    ScatterAs<uint8_t>(from, count, to, stride);
  } else {
    ScatterAs<uint32_t>(from, count, to, stride);
  }
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_QUANTIZE_STRIDED_RUN_H_
