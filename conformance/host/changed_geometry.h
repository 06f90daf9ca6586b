// A convolution's or pooling's windows, moved.
#ifndef QCONFORM_CONFORMANCE_HOST_CHANGED_GEOMETRY_H_
#define QCONFORM_CONFORMANCE_HOST_CHANGED_GEOMETRY_H_

#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

// Calls whose stride, dilation or padding is another one, in every spatial dimension
// where that leaves an output: with the output's shape of the call where it can be, and
// with a shape of its own where there is no residual input. Of CONV, CONV_TRANSPOSE,
// MAX_POOL and AVG_POOL, padded with zeros and without ceil mode; others have none.
std::vector<OperatorCall> CallsOfOtherGeometry(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CHANGED_GEOMETRY_H_
