#include <cmath>

#include "reference/formats/base64.h"
#include "reference/formats/json_value.h"
#include "reference/formats/tensor_json.h"

namespace qconform {
namespace {

Tensor VectorTensor(const std::vector<double>& values, bool integers) {
  const Shape shape{static_cast<int64_t>(values.size())};
  if (!integers) return Tensor::FromVector(DType::kFloat64, shape, values);
  return Tensor::FromVector(DType::kInt64, shape,
                            std::vector<int64_t>(values.begin(), values.end()));
}

bool AreIntegers(const std::vector<double>& values) {
  for (const double value : values) {
    // Exact in an int64 and not -0.0, which an integer would lose.
    if (value != std::trunc(value) || std::abs(value) > 9007199254740992.0 ||
        (value == 0 && std::signbit(value))) {
      return false;
    }
  }
  return true;
}

ordered_json Describe(const Tensor& tensor) {
  ordered_json object;
  object["dtype"] = DTypeName(tensor.dtype());
  object["shape"] = tensor.shape();
  if (tensor.quantization()) {
    const QuantizationParameters& parameters = *tensor.quantization();
    if (parameters.axis < 0) {
      const double zero_point = parameters.zero_point.at(0);
      object["scale"] = RealToJson(parameters.scale.at(0));
      object["zero_point"] = AreIntegers({zero_point})
                                 ? ordered_json(static_cast<int64_t>(zero_point))
                                 : RealToJson(zero_point);
    } else {
      object["scales"] = TensorToJson(VectorTensor(parameters.scale, false));
      object["zero_points"] = TensorToJson(
          VectorTensor(parameters.zero_point, AreIntegers(parameters.zero_point)));
      object["axis"] = parameters.axis;
    }
  }
  return object;
}

void AppendValues(ordered_json& object, const Tensor& tensor) {
  if (tensor.numel() > kMaxInlineElements || !HasReadableValues(tensor.dtype())) return;
  ordered_json values = ordered_json::array();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    if (tensor.dtype() == DType::kBool) {
      values.push_back(tensor.IntegerAt(i) != 0);
    } else if (IsFloatingDType(tensor.dtype())) {
      values.push_back(RealToJson(tensor.ValueAt(i)));
    } else {
      values.push_back(tensor.IntegerAt(i));
    }
  }
  object["v"] = std::move(values);
}

}  // namespace

DType StorageDType(DType dtype) {
  switch (dtype) {
    case DType::kQInt8:
      return DType::kInt8;
    case DType::kQInt32:
      return DType::kInt32;
    case DType::kQUInt8:
    case DType::kQUInt4x2:
    case DType::kQUInt2x4:
      return DType::kUInt8;
    default:
      return dtype;
  }
}

bool HasReadableValues(DType dtype) {
  return dtype != DType::kFloat8E5M2 && dtype != DType::kFloat8E4M3FN;
}

ordered_json TensorToJson(const Tensor& tensor) {
  ordered_json object = Describe(tensor);
  object["b64"] = EncodeBase64({tensor.bytes(), tensor.byte_size()});
  AppendValues(object, tensor);
  return object;
}

ordered_json TensorToJson(const Tensor& tensor, const std::string& name,
                          OrderedMap<Tensor>& named) {
  if (tensor.numel() <= kMaxInlineElements) return TensorToJson(tensor);
  ordered_json object = Describe(tensor);
  object["tensor"] = name;
  named.Set(name, tensor.ViewedAs(StorageDType(tensor.dtype())));
  return object;
}

}  // namespace qconform
