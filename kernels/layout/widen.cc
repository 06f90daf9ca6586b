#include "kernels/layout/widen.h"

namespace qconform::kernels {
namespace {

// A pass of one kind for each pair of strides that matters: with both at one the
// compiler vectorizes it, the rest are transpositions.
template <typename To, typename Convert>
void Copy(const uint8_t* source, int64_t stride, int64_t count, To* destination,
          int64_t destination_stride, Convert convert) {
  if (stride == 1 && destination_stride == 1) {
    for (int64_t i = 0; i < count; ++i) destination[i] = convert(source[i]);
  } else if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) {
      destination[i * destination_stride] = convert(source[i]);
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      destination[i * destination_stride] = convert(source[i * stride]);
    }
  }
}

}  // namespace

void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               int16_t* destination, int64_t destination_stride) {
  const int16_t zero_point = static_cast<int16_t>(map.zero_point);
  if (map.is_signed) {
    Copy(source, stride, count, destination, destination_stride, [=](uint8_t code) {
      return static_cast<int16_t>(static_cast<int8_t>(code) - zero_point);
    });
  } else {
    Copy(source, stride, count, destination, destination_stride,
         [=](uint8_t code) { return static_cast<int16_t>(code - zero_point); });
  }
}

void CopyCodePairs(const uint8_t* left, int64_t left_stride, const uint8_t* right,
                   int64_t right_stride, int64_t count, CodeMap map, int16_t* destination,
                   int64_t destination_stride) {
  // Bytes of s8 are those of u8 less 128 with their highest bit turned.
  const uint8_t flip = map.is_signed ? 0x80 : 0;
  const auto zero_point =
      static_cast<int16_t>(map.zero_point + (map.is_signed ? 128 : 0));
  const auto convert = [=](uint8_t code) {
    return static_cast<int16_t>(static_cast<uint8_t>(code ^ flip) - zero_point);
  };
  if (left_stride == 1 && right_stride == 1 && destination_stride == 2) {
#pragma omp simd
    for (int64_t i = 0; i < count; ++i) {
      destination[2 * i] = convert(left[i]);
      destination[2 * i + 1] = convert(right[i]);
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    destination[i * destination_stride] = convert(left[i * left_stride]);
    destination[i * destination_stride + 1] = convert(right[i * right_stride]);
  }
}

void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               uint8_t* destination, int64_t destination_stride) {
  const uint8_t flip = map.is_signed ? 0x80 : 0;
  Copy(source, stride, count, destination, destination_stride,
       [=](uint8_t code) { return static_cast<uint8_t>(code ^ flip); });
}

void CopyCodes(const uint8_t* source, int64_t stride, int64_t count, CodeMap map,
               int8_t* destination, int64_t destination_stride) {
  const uint8_t flip = map.is_signed ? 0 : 0x80;
  Copy(source, stride, count, destination, destination_stride,
       [=](uint8_t code) { return static_cast<int8_t>(code ^ flip); });
}

}  // namespace qconform::kernels
