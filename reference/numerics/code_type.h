// Which C++ type and plain dtype store the codes of a dtype.
#ifndef QCONFORM_REFERENCE_NUMERICS_CODE_TYPE_H_
#define QCONFORM_REFERENCE_NUMERICS_CODE_TYPE_H_

#include <cstdint>
#include <utility>

#include "reference/ir/dtype.h"
#include "reference/ir/error.h"
#include "reference/ir/tensor.h"

namespace qconform {

// Calls body(T{}) with the type that stores a code of `dtype`. Throws InputError
// for a dtype that holds no codes.
template <typename Body>
void WithCodeType(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::kUInt8:
    case DType::kQUInt8:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return body(uint8_t{});
    case DType::kInt8:
    case DType::kQInt8:
      return body(int8_t{});
    case DType::kInt16:
      return body(int16_t{});
    case DType::kUInt16:
      return body(uint16_t{});
    case DType::kInt32:
    case DType::kQInt32:
      return body(int32_t{});
    default:
      throw InputError("quantize", "dtype " + std::string(DTypeName(dtype)),
                       "an integer or quantized dtype of at most 32 bits");
  }
}

// The plain dtype of a quantized one's codes: quint8 -> uint8.
inline DType CodeDType(DType dtype) {
  switch (dtype) {
    case DType::kQUInt8:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return DType::kUInt8;
    case DType::kQInt8:
      return DType::kInt8;
    case DType::kQInt32:
      return DType::kInt32;
    default:
      return dtype;
  }
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_CODE_TYPE_H_
