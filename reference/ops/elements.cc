#include "reference/ops/elements.h"

#include "reference/ir/half.h"

namespace qconform {

ArithmeticType ArithmeticTypeOf(DType dtype) {
  if (dtype == DType::kFloat64) return ArithmeticType::kDouble;
  return IsFloatingDType(dtype) ? ArithmeticType::kFloat : ArithmeticType::kInteger;
}

template <typename T>
std::vector<T> ReadElements(const Tensor& tensor) {
  std::vector<T> values(static_cast<size_t>(tensor.numel()));
  const bool integer = ArithmeticTypeOf(tensor.dtype()) == ArithmeticType::kInteger;
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    values[static_cast<size_t>(i)] =
        integer ? static_cast<T>(tensor.IntegerAt(i)) : static_cast<T>(tensor.ValueAt(i));
  }
  return values;
}

namespace {

template <typename Stored, typename T>
void Store(const std::vector<T>& values, Tensor& tensor) {
  Stored* data = tensor.data<Stored>();
  for (size_t i = 0; i < values.size(); ++i) {
    if constexpr (std::is_integral_v<Stored> && std::is_floating_point_v<T>) {
      // Through int64, as torch does: narrow targets wrap.
      data[i] = static_cast<Stored>(static_cast<int64_t>(values[i]));
    } else {
      data[i] = static_cast<Stored>(values[i]);
    }
  }
}

}  // namespace

template <typename T>
void WriteElements(const std::vector<T>& values, Tensor& tensor) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return Store<float>(values, tensor);
    case DType::kFloat64:
      return Store<double>(values, tensor);
    case DType::kInt8:
      return Store<int8_t>(values, tensor);
    case DType::kUInt8:
      return Store<uint8_t>(values, tensor);
    case DType::kInt16:
      return Store<int16_t>(values, tensor);
    case DType::kUInt16:
      return Store<uint16_t>(values, tensor);
    case DType::kInt32:
      return Store<int32_t>(values, tensor);
    case DType::kInt64:
      return Store<int64_t>(values, tensor);
    case DType::kFloat16:
    case DType::kBFloat16: {
      const auto round =
          tensor.dtype() == DType::kFloat16 ? FloatToHalf : FloatToBFloat16;
      for (size_t i = 0; i < values.size(); ++i) {
        tensor.data<uint16_t>()[i] = round(static_cast<float>(values[i]));
      }
      return;
    }
    case DType::kBool:
      for (size_t i = 0; i < values.size(); ++i) {
        tensor.data<uint8_t>()[i] = values[i] != T(0) ? 1 : 0;
      }
      return;
    default:
      assert(false && "quantized and float8 tensors have no plain elements");
  }
}

template std::vector<float> ReadElements<float>(const Tensor&);
template std::vector<double> ReadElements<double>(const Tensor&);
template std::vector<int64_t> ReadElements<int64_t>(const Tensor&);
template void WriteElements<float>(const std::vector<float>&, Tensor&);
template void WriteElements<double>(const std::vector<double>&, Tensor&);
template void WriteElements<int64_t>(const std::vector<int64_t>&, Tensor&);

Tensor Cast(const Tensor& tensor, DType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  Tensor result(dtype, tensor.shape());
  switch (ArithmeticTypeOf(tensor.dtype())) {
    case ArithmeticType::kFloat:
      WriteElements(ReadElements<float>(tensor), result);
      break;
    case ArithmeticType::kDouble:
      WriteElements(ReadElements<double>(tensor), result);
      break;
    case ArithmeticType::kInteger:
      WriteElements(ReadElements<int64_t>(tensor), result);
      break;
  }
  return result;
}

}  // namespace qconform
