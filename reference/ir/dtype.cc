#include "reference/ir/dtype.h"

#include <array>
#include <cassert>
#include <limits>

namespace qconform {
namespace {

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  size_t item_size;
};

constexpr std::array<DTypeInfo, 18> kInfos = {{
    {DType::kFloat32, "float32", 4},
    {DType::kFloat64, "float64", 8},
    {DType::kFloat16, "float16", 2},
    {DType::kBFloat16, "bfloat16", 2},
    {DType::kInt8, "int8", 1},
    {DType::kUInt8, "uint8", 1},
    {DType::kInt16, "int16", 2},
    {DType::kUInt16, "uint16", 2},
    {DType::kInt32, "int32", 4},
    {DType::kInt64, "int64", 8},
    {DType::kBool, "bool", 1},
    {DType::kQInt8, "qint8", 1},
    {DType::kQUInt8, "quint8", 1},
    {DType::kQInt32, "qint32", 4},
    {DType::kQUInt4x2, "quint4x2", 1},
    {DType::kQUInt2x4, "quint2x4", 1},
    {DType::kFloat8E5M2, "float8_e5m2", 1},
    {DType::kFloat8E4M3FN, "float8_e4m3fn", 1},
}};

const DTypeInfo& Info(DType dtype) { return kInfos[static_cast<size_t>(dtype)]; }

template <typename T>
IntegerRange RangeOf() {
  return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

}  // namespace

size_t ItemSize(DType dtype) { return Info(dtype).item_size; }

std::string_view DTypeName(DType dtype) { return Info(dtype).name; }

std::optional<DType> ParseDType(std::string_view name) {
  if (name.starts_with("torch.")) name.remove_prefix(6);
  for (const DTypeInfo& info : kInfos) {
    if (info.name == name) return info.dtype;
  }
  if (name == "float") return DType::kFloat32;
  if (name == "double") return DType::kFloat64;
  if (name == "half") return DType::kFloat16;
  if (name == "int") return DType::kInt32;
  if (name == "long") return DType::kInt64;
  return std::nullopt;
}

bool IsQuantizedDType(DType dtype) {
  switch (dtype) {
    case DType::kQInt8:
    case DType::kQUInt8:
    case DType::kQInt32:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return true;
    default:
      return false;
  }
}

bool IsFloatingDType(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
    case DType::kFloat64:
    case DType::kFloat16:
    case DType::kBFloat16:
    case DType::kFloat8E5M2:
    case DType::kFloat8E4M3FN:
      return true;
    default:
      return false;
  }
}

IntegerRange CodeRange(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kQInt8:
      return RangeOf<int8_t>();
    case DType::kUInt8:
    case DType::kQUInt8:
      return RangeOf<uint8_t>();
    case DType::kInt16:
      return RangeOf<int16_t>();
    case DType::kUInt16:
      return RangeOf<uint16_t>();
    case DType::kInt32:
    case DType::kQInt32:
      return RangeOf<int32_t>();
    case DType::kInt64:
      return RangeOf<int64_t>();
    case DType::kBool:
      return {0, 1};
    case DType::kQUInt4x2:
      return {0, 15};
    case DType::kQUInt2x4:
      return {0, 3};
    default:
      assert(false && "CodeRange of a floating dtype");
      return {0, 0};
  }
}

}  // namespace qconform
