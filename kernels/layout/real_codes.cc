#include "kernels/layout/real_codes.h"

#include <cstring>

#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

// Strides of one by themselves: the compiler vectorizes that loop.
template <typename Convert>
void Copy(const uint8_t* source, int64_t stride, int64_t count, float* destination,
          int64_t destination_stride, Convert convert) {
  if (stride == 1 && destination_stride == 1) {
    for (int64_t i = 0; i < count; ++i) destination[i] = convert(source[i]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      destination[i * destination_stride] = convert(source[i * stride]);
  }
}

}  // namespace

RealCodeMap RealMapOf(const qc_tensor& tensor) {
  if (tensor.dtype == QC_F32) return {QC_F32, 0, 1.0f};
  return {tensor.dtype, ZeroPointAt(tensor), ScaleAt(tensor)};
}

void CopyCodes(const uint8_t* source, int64_t stride, int64_t count,
               const RealCodeMap& map, float* destination, int64_t destination_stride) {
  const int32_t zero_point = map.zero_point;
  const float scale = map.scale;
  if (map.dtype == QC_U8) {
    Copy(source, stride, count, destination, destination_stride,
         [=](uint8_t code) { return static_cast<float>(code - zero_point) * scale; });
  } else if (map.dtype == QC_S8) {
    Copy(source, stride, count, destination, destination_stride, [=](uint8_t code) {
      return static_cast<float>(static_cast<int8_t>(code) - zero_point) * scale;
    });
  } else {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(destination + i * destination_stride, source + i * stride, 4);
  }
}

}  // namespace qconform::kernels
