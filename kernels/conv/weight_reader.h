// One weight of a convolution, wherever the tensor keeps it.
#ifndef QCONFORM_KERNELS_CONV_WEIGHT_READER_H_
#define QCONFORM_KERNELS_CONV_WEIGHT_READER_H_

#include <array>
#include <cstdint>

#include "kernels/conv/geometry.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {

class WeightReader {
 public:
  WeightReader(const ConvGeometry& geometry, const qc_tensor& tensor)
      : geometry_(geometry),
        tensor_(tensor),
        output_stride_(tensor.stride[geometry.transposed ? 1 : 0]),
        input_stride_(tensor.stride[geometry.transposed ? 0 : 1]) {
    for (size_t i = 0; i < 3; ++i) {
      const int dimension = geometry.axes[i].weight_dimension;
      stride_[i] = dimension < 0 ? 0 : tensor.stride[dimension];
    }
  }

  // The scale and zero point of output channel o are those of slice Slice(o).
  int64_t Slice(int64_t o) const {
    return geometry_.transposed ? o % geometry_.group_outputs : o;
  }

  // The code less its zero point, for output channel o and input i of its group.
  int32_t operator()(int64_t o, int64_t i, int64_t kz, int64_t ky, int64_t kx) const {
    const int64_t group = o / geometry_.group_outputs;
    const int64_t input = geometry_.transposed ? group * geometry_.group_inputs + i : i;
    const auto* at = static_cast<const uint8_t*>(tensor_.data) +
                     Slice(o) * output_stride_ + input * input_stride_ + kz * stride_[0] +
                     ky * stride_[1] + kx * stride_[2];
    const int32_t code = tensor_.dtype == QC_S8 ? static_cast<int8_t>(*at) : int32_t{*at};
    return code - ZeroPointAt(tensor_, Slice(o));
  }

 private:
  const ConvGeometry& geometry_;
  const qc_tensor& tensor_;
  int64_t output_stride_, input_stride_;
  std::array<int64_t, 3> stride_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_WEIGHT_READER_H_
