// What tells two sets of named tensors apart.
#ifndef QCONFORM_REFERENCE_DIFF_TENSOR_DIFF_H_
#define QCONFORM_REFERENCE_DIFF_TENSOR_DIFF_H_

#include <string>

#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// A line for each tensor that differs, with the number of other elements and the largest
// difference and where it stands; then one that counts: "values  9 same bits, 2 other
// bits, 0 gone, 1 new". Empty if all are the same. Codes are compared as codes.
std::string DiffTensors(const std::string& what, const OrderedMap<Tensor>& a,
                        const OrderedMap<Tensor>& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_TENSOR_DIFF_H_
