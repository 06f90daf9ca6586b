// Packed weights as the operators read them.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_PACKED_VALUES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_PACKED_VALUES_H_

#include <optional>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/call.h"

namespace qconform {

struct NativeWeight {
  Tensor weight;
  std::optional<Tensor> bias;
  // Of a convolution, one an axis.
  std::vector<int64_t> stride;
  std::vector<int64_t> padding;
  std::vector<int64_t> output_padding;
  std::vector<int64_t> dilation;
  int64_t groups = 1;
};

// The argument that a get_attr of a packed weight gives.
NativeWeight PackedArgument(const Call& call, size_t position);

// Of a quantized linear (its child _packed_params) or convolution.
NativeWeight PackedOf(const Module& module, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_PACKED_VALUES_H_
