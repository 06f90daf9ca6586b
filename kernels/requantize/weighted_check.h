// What every kernel of products with a weight accepts.
#ifndef QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_
#define QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_

#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// Operands, dtypes, qparams, bias, activation and scheme of a CONV or LINEAR; not how
// the shapes fit. Answers with the first thing that is wrong, or with nothing and one of
// the schemes of parameters.h.
std::string CheckWeighted(const qc_descriptor& descriptor, std::string& scheme);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_WEIGHTED_CHECK_H_
