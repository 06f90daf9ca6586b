// The calls that differ from a call in one thing beside its data: what a plan's key must
// not forget.
#ifndef QCONFORM_CONFORMANCE_HOST_CHANGED_CALLS_H_
#define QCONFORM_CONFORMANCE_HOST_CHANGED_CALLS_H_

#include <string>
#include <vector>

#include "conformance/host/operator_call.h"

namespace qconform {

struct ChangedCall {
  std::string what;  // "another scale of input 0"
  OperatorCall call;
};

// First scale, last one of several and zero points of every input and output (of inputs
// the first few), the range of output 0, the fused ReLU, alpha and scalar, and what
// changed_geometry.h changes. All data stay. Not every backend takes each of them.
std::vector<ChangedCall> CallsOfOneChange(const OperatorCall& call);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CHANGED_CALLS_H_
