// What most families ask of a descriptor.
#ifndef QCONFORM_KERNELS_BACKEND_CODE_CHECK_H_
#define QCONFORM_KERNELS_BACKEND_CODE_CHECK_H_

#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// Quantized u8 or s8 with one scale.
bool IsCodePerTensor(const qc_tensor& tensor);

// Whether the scalar definition computes it from input 0 to output 0 in such codes.
// Answers with the first thing that is wrong, or with nothing and the scheme.
std::string CheckCodes(const qc_descriptor& descriptor, std::string& scheme);

// Of a kernel that rounds by no other rule.
std::string CheckRealScheme(const std::string& scheme);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_BACKEND_CODE_CHECK_H_
