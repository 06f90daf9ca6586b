// From the caller's activation codes to the kernels' own layout.
#ifndef QCONFORM_KERNELS_LAYOUT_WIDEN_H_
#define QCONFORM_KERNELS_LAYOUT_WIDEN_H_

#include <cstdint>

#include "kernels/target/path.h"

namespace qconform::kernels {

// How codes become what a kernel multiplies.
struct CodeMap {
  bool is_signed = false;  // the codes are s8, not u8
  int32_t zero_point = 0;
};

// destination[i] = source[i * stride] - zero_point, exact in 16 bits.
void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               int16_t* destination, int64_t destination_stride);

// destination[i * destination_stride] and the element behind it = the codes of `left` and
// `right` less the zero point.
void CopyCodePairs(const uint8_t* left, int64_t left_stride, const uint8_t* right,
                   int64_t right_stride, int64_t count, CodeMap map, int16_t* destination,
                   int64_t destination_stride);

// destination[i] = the code as an unsigned byte; s8 codes move up by 128.
void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               uint8_t* destination, int64_t destination_stride);

// destination[i] = the code as a signed byte; u8 codes move down by 128.
void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               int8_t* destination, int64_t destination_stride);

// What stands for a real zero in the kernels' layout.
inline int16_t ZeroCode(CodeMap, const int16_t*) { return 0; }
inline uint8_t ZeroCode(CodeMap map, const uint8_t*) {
  return static_cast<uint8_t>(map.zero_point + (map.is_signed ? 128 : 0));
}
inline int8_t ZeroCode(CodeMap map, const int8_t*) {
  return static_cast<int8_t>(map.zero_point - (map.is_signed ? 0 : 128));
}

// The same for the bytes that the path multiplies.
inline int32_t ZeroOfBytes(CodeMap map, Path path) {
  return IsArm(path) ? int32_t{ZeroCode(map, static_cast<const int8_t*>(nullptr))}
                     : int32_t{ZeroCode(map, static_cast<const uint8_t*>(nullptr))};
}

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_WIDEN_H_
