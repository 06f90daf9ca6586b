// The dtypes that torch's quantization code lists in several places.
#ifndef QCONFORM_REFERENCE_QCONFIG_QUANTIZATION_DTYPES_H_
#define QCONFORM_REFERENCE_QCONFIG_QUANTIZATION_DTYPES_H_

#include "reference/ir/dtype.h"

namespace qconform {

// What all of these lists have; each adds some of its own (qint32, float16, quint4x2,
// uint16).
inline bool IsInEveryQuantizationList(DType dtype) {
  switch (dtype) {
    case DType::kQUInt8:
    case DType::kQInt8:
    case DType::kUInt8:
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
      return true;
    default:
      return false;
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_QUANTIZATION_DTYPES_H_
