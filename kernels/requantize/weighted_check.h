// What every kernel of products with a weight accepts.
#ifndef QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_
#define QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_

#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// Of a CONV, CONV_TRANSPOSE or LINEAR. Answers with the first thing that is wrong, or
// with nothing and the scheme: of accumulators, or the real one.
std::string CheckWeighted(const qc_descriptor& descriptor, std::string& scheme);

// Whether weights less their zero points are signed bytes.
bool CentredWeightIsByte(const qc_tensor& weight);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_
