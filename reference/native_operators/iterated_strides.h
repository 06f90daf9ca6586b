// The strides that torch gives the results of what it computes element by element.
#ifndef QCONFORM_REFERENCE_NATIVE_OPERATORS_ITERATED_STRIDES_H_
#define QCONFORM_REFERENCE_NATIVE_OPERATORS_ITERATED_STRIDES_H_

#include <vector>

#include "reference/native_operators/memory_format.h"

namespace qconform {

// Of a result of this shape, to which the operands are broadcast. (TensorIterator)
Strides IteratedStrides(const std::vector<Placement>& operands, const Shape& shape);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NATIVE_OPERATORS_ITERATED_STRIDES_H_
