// The shape arithmetic of one convolution.
#ifndef QCONFORM_KERNELS_CONV_GEOMETRY_H_
#define QCONFORM_KERNELS_CONV_GEOMETRY_H_

#include <cstdint>
#include <string>

#include "kernels/abi/qconform_backend.h"
#include "kernels/layout/image_view.h"

namespace qconform::kernels {

// One spatial dimension.
struct Axis {
  int64_t input = 1, output = 1, kernel = 1;
  int64_t stride = 1, dilation = 1, before = 0, after = 0;

  // Distance from the first to the last tap, and one more.
  int64_t Span() const { return (kernel - 1) * dilation + 1; }
};

struct ConvGeometry {
  int64_t batch = 1, groups = 1;
  int64_t group_inputs = 1, group_outputs = 1;  // channels of one group
  Axis y, x;
  // Where the tensors keep those axes: dimension of the batch (-1: none), y (-1: none)
  // and x. A convolution along y only is turned to lie along x, so that its taps are
  // side by side in memory; weight_y and weight_x are dimensions of the weight tensor.
  int batch_dimension = 0, channel_dimension = 1, y_dimension = -1, x_dimension = 2;
  int weight_y = -1, weight_x = 2;

  int64_t Inputs() const { return groups * group_inputs; }
  int64_t Outputs() const { return groups * group_outputs; }
  bool Depthwise() const { return group_inputs == 1 && groups > 1; }
  ImageShape OutputShape() const { return {batch, y.output, x.output, Outputs()}; }
};

// Reads descriptor (kind CONV, one or two spatial dimensions, tensors of the right rank
// and dtype). False with a reason if the shapes contradict each other.
bool ReadConvGeometry(const qc_descriptor& descriptor, ConvGeometry& geometry,
                      std::string& reason);

// Byte strides of an activation tensor (input or output) in the geometry's axes.
ImageStride StridesOf(const ConvGeometry& geometry, const qc_tensor& tensor);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_GEOMETRY_H_
