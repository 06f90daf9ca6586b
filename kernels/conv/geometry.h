// The shape arithmetic of one convolution or transposed convolution.
#ifndef QCONFORM_KERNELS_CONV_GEOMETRY_H_
#define QCONFORM_KERNELS_CONV_GEOMETRY_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "kernels/layout/image_view.h"

namespace qconform::kernels {

// One tap of the kernel: its index in the weight, and the packed position that it reads
// relative to that of the output.
struct Tap {
  int64_t index, place;
};

// Outputs first, first + step, ... of one axis that are computed from the same taps,
// which are in the order of their places. A convolution has one phase; a transposed one
// has as many as its stride is long, each an ordinary convolution by the taps that meet
// an input there, perhaps by none.
struct AxisPhase {
  int64_t first = 0, step = 1, count = 1;
  std::vector<Tap> taps = {{0, 0}};
};

// One spatial dimension. Packed position p holds input position source[p], or zero where
// that is -1. A kernel of one tap needs only the positions that it reads, so its stride
// moves into the packing.
struct Axis {
  int64_t input = 1, output = 1;
  std::vector<int64_t> source = {0};
  int64_t output_stride = 1;  // packed positions between two outputs of a phase
  int64_t tap_distance = 1;   // between two taps
  std::vector<AxisPhase> phases = {{}};
  int dimension = -1;  // of the activations, -1: none
  int weight_dimension = -1;

  int64_t Extent() const { return static_cast<int64_t>(source.size()); }
};

struct ConvGeometry {
  bool transposed = false;
  int64_t batch = 1, groups = 1;
  int64_t group_inputs = 1, group_outputs = 1;  // channels of one group
  // z, y, x. A convolution along y or z only is turned to lie along x, so that its taps
  // are side by side in memory.
  std::array<Axis, 3> axes;

  int64_t Inputs() const { return groups * group_inputs; }
  int64_t Outputs() const { return groups * group_outputs; }
  bool Depthwise() const { return group_inputs == 1 && groups > 1; }
  int64_t Pixels() const {
    return batch * axes[0].output * axes[1].output * axes[2].output;
  }
};

// Of a CONV or CONV_TRANSPOSE that reference/numerics defines. `spread`: a transposed
// convolution as one phase over the input with zeros between, in the order of sums of
// the definition.
ConvGeometry ReadConvGeometry(const qc_descriptor& descriptor, bool spread = false);

// Byte strides of an activation tensor (input or output) in the geometry's axes.
ImageStride StridesOf(const ConvGeometry& geometry, const qc_tensor& tensor);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_CONV_GEOMETRY_H_
