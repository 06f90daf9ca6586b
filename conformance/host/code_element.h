// Codes of a tensor's dense data, one by one.
#ifndef QCONFORM_CONFORMANCE_HOST_CODE_ELEMENT_H_
#define QCONFORM_CONFORMANCE_HOST_CODE_ELEMENT_H_

#include <cstddef>
#include <cstdint>

#include "conformance/host/operator_call.h"

namespace qconform {

inline bool IsCode(qc_dtype dtype) { return dtype == QC_U8 || dtype == QC_S8; }

// Codes that stand for real numbers: not indices and the like.
inline bool IsQuantizedCode(const CallTensor& tensor) {
  return IsCode(tensor.dtype) && !tensor.scale.empty();
}

// Precondition: IsCode(dtype).
inline CodeBounds AllCodes(qc_dtype dtype) {
  return dtype == QC_U8 ? CodeBounds{0, 255} : CodeBounds{-128, 127};
}

// Precondition: IsCode(tensor.dtype), as of SetCodeAt.
inline int32_t CodeAt(const CallTensor& tensor, int64_t index) {
  const auto byte = static_cast<uint8_t>(tensor.data[static_cast<size_t>(index)]);
  return tensor.dtype == QC_S8 ? static_cast<int8_t>(byte) : byte;
}

inline void SetCodeAt(CallTensor& tensor, int64_t index, int64_t code) {
  tensor.data[static_cast<size_t>(index)] =
      static_cast<std::byte>(static_cast<uint8_t>(code));
}

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CODE_ELEMENT_H_
