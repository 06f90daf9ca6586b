// Tensors of one or two spatial dimensions as XNNPACK's images; one dimension is a row.
#ifndef QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_IMAGE_VIEW_H_
#define QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_IMAGE_VIEW_H_

#include <cstddef>
#include <cstdint>

#include "kernels/abi/qconform_backend.h"

namespace qconform::xnnpack {

struct Image {
  size_t batch, channels, height, width;
};

// Precondition: of rank 3 or 4.
inline Image ImageOf(const qc_tensor& tensor) {
  const auto size = [&](int i) { return static_cast<size_t>(tensor.shape[i]); };
  return {size(0), size(1), tensor.rank == 4 ? size(2) : 1, size(tensor.rank - 1)};
}

struct Window {
  uint32_t top = 0, right = 0, bottom = 0, left = 0;
  uint32_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1};
};

// `kernel` and the attributes' strides at spatial_rank 1 or 2; where no stride is said
// pools step by their kernel.
inline Window WindowOf(const qc_attributes& attributes, const int64_t* kernel,
                       bool pools) {
  Window window;
  const int rank = attributes.spatial_rank;
  for (int i = 0; i < rank; ++i) {
    const int to = 2 - rank + i;
    window.kernel[to] = static_cast<uint32_t>(kernel[i]);
    const int64_t stride = attributes.stride[i];
    window.stride[to] =
        stride == 0 ? (pools ? window.kernel[to] : 1u) : static_cast<uint32_t>(stride);
    window.dilation[to] =
        attributes.dilation[i] == 0 ? 1u : static_cast<uint32_t>(attributes.dilation[i]);
    const auto before = static_cast<uint32_t>(attributes.padding_before[i]);
    const auto after = static_cast<uint32_t>(attributes.padding_after[i]);
    (to == 0 ? window.top : window.left) = before;
    (to == 0 ? window.bottom : window.right) = after;
  }
  return window;
}

}  // namespace qconform::xnnpack

#endif  // QCONFORM_CONFORMANCE_ADAPTERS_XNNPACK_IMAGE_VIEW_H_
