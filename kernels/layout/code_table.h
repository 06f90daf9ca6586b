// From the codes of one tensor to those of another with other qparams.
#ifndef QCONFORM_KERNELS_LAYOUT_CODE_TABLE_H_
#define QCONFORM_KERNELS_LAYOUT_CODE_TABLE_H_

#include <array>
#include <cstdint>
#include <string>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// By the byte of a code its new byte; what they mean does not matter any more.
using CodeTable = std::array<uint8_t, 256>;

// The codes of x as real values, quantized like y by a real scheme's rule; under the
// scheme "copy" every byte itself. x and y are 8-bit codes per tensor.
CodeTable RescaledCodes(const qc_tensor& x, const qc_tensor& y,
                        const std::string& scheme);

// The byte of the code of one real value under a scheme like that.
uint8_t CodeByte(float value, const qc_tensor& y, const std::string& scheme);

bool IsIdentity(const CodeTable& table);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_CODE_TABLE_H_
