// Element types, named as torch names them.
#ifndef QCONFORM_REFERENCE_IR_DTYPE_H_
#define QCONFORM_REFERENCE_IR_DTYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace qconform {

enum class DType {
  kFloat32,
  kFloat64,
  kFloat16,
  kBFloat16,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kInt64,
  kBool,
  kQInt8,
  kQUInt8,
  kQInt32,
  kQUInt4x2,
  kQUInt2x4,
  kFloat8E5M2,
  kFloat8E4M3FN,
};

// Bytes of one stored element; quint4x2 and quint2x4 are kept one code a byte.
size_t ItemSize(DType dtype);

// "float32", "quint8", ...
std::string_view DTypeName(DType dtype);

// Accepts "float32" and "torch.float32", also torch's aliases (float, half, int,
// long).
std::optional<DType> ParseDType(std::string_view name);

// quint8, qint8, qint32, quint4x2, quint2x4.
bool IsQuantizedDType(DType dtype);

bool IsFloatingDType(DType dtype);

struct IntegerRange {
  int64_t min;
  int64_t max;
};

// Range of the stored codes. Precondition: an integer or quantized dtype.
IntegerRange CodeRange(DType dtype);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_DTYPE_H_
