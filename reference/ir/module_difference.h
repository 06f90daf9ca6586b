// What tells two modules apart, in words.
#ifndef QCONFORM_REFERENCE_IR_MODULE_DIFFERENCE_H_
#define QCONFORM_REFERENCE_IR_MODULE_DIFFERENCE_H_

#include <string>

#include "reference/ir/module.h"

namespace qconform {

// A value in an error line: "3", "'zeros'", "node 'x'", "a list of 2".
std::string DescribeArgument(const Argument& argument);

// Equal without nodes inside; NaN equals NaN, 0.0 differs from -0.0 and from 0.
bool SameConstant(const Argument& a, const Argument& b);

// "" if dtype, shape, qparams and bytes agree.
std::string TensorDifference(const Tensor& a, const Tensor& b);

// "" if type, training, attributes, parameters, buffers and children agree. The order of
// their names does not count, nor does their state.
std::string ModuleDifference(const Module& a, const Module& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_MODULE_DIFFERENCE_H_
