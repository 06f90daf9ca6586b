// Shapes that the smallest call of a row does not have, and on which kernels go wrong.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_SHAPE_CALLS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_SHAPE_CALLS_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"
#include "reference/config/dtype_config.h"

namespace qconform {

struct ShapeCall {
  std::string name;  // "strided_groups", "depthwise", "beyond_64_channels"
  OperatorCall call;
};

// Of a convolution or linear: the operator, fused activation, bias and granularity of
// `like` in each of the shapes, satisfying the dtype config. Empty for other operators.
std::vector<ShapeCall> ShapeCalls(const OperatorCall& like, const DTypeConfig& config);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_SHAPE_CALLS_H_
