// Picking elements axis by axis: padding, slicing, flipping, nearest resizing.
#ifndef QCONFORM_REFERENCE_OPS_GATHER_H_
#define QCONFORM_REFERENCE_OPS_GATHER_H_

#include <cstdint>
#include <vector>

#include "reference/ir/tensor.h"
#include "reference/ops/call.h"

namespace qconform {

// For every axis the source index of each result index, -1 for the fill value.
using AxisSources = std::vector<std::vector<int64_t>>;

// 0, 1, ..., size - 1 for every axis: the sources of the tensor itself.
AxisSources IdentitySources(const Shape& shape);

// result[i, j, ...] = tensor[sources[0][i], sources[1][j], ...], or `fill` (rounded to
// the tensor's dtype) where a source is -1. Precondition: sources inside the tensor.
Tensor GatherAxes(const Tensor& tensor, const AxisSources& sources, double fill = 0.0);

// torch.nn.functional.pad: `pads` is (before, after) of the last axis, then of the one
// before it; negative amounts crop. `mode` is constant, reflect, replicate, circular.
Tensor Pad(const Tensor& tensor, const std::vector<int64_t>& pads,
           const std::string& mode, double value, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OPS_GATHER_H_
