#include <algorithm>
#include <cstring>

#include "reference/formats/onnx_model.h"
#include "reference/formats/onnx_proto.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct DTypeEntry {
  DType dtype;
  int32_t onnx;
};

constexpr DTypeEntry kDTypes[] = {
    {DType::kFloat32, onnx::TensorProto::FLOAT},
    {DType::kFloat64, onnx::TensorProto::DOUBLE},
    {DType::kFloat16, onnx::TensorProto::FLOAT16},
    {DType::kBFloat16, onnx::TensorProto::BFLOAT16},
    {DType::kInt8, onnx::TensorProto::INT8},
    {DType::kUInt8, onnx::TensorProto::UINT8},
    {DType::kInt16, onnx::TensorProto::INT16},
    {DType::kUInt16, onnx::TensorProto::UINT16},
    {DType::kInt32, onnx::TensorProto::INT32},
    {DType::kInt64, onnx::TensorProto::INT64},
    {DType::kBool, onnx::TensorProto::BOOL},
};

template <typename T, typename Field>
void CopyInto(Tensor& tensor, const Field& field) {
  std::transform(field.begin(), field.end(), tensor.data<T>(),
                 [](auto value) { return static_cast<T>(value); });
}

// The typed field that onnx.proto gives the dtype, instead of raw_data. Answers how many
// elements there are, and copies them if that is right.
int64_t CopyTypedField(const onnx::TensorProto& proto, Tensor& tensor) {
  const auto copy = [&]<typename T>(const auto& field, T) -> int64_t {
    if (field.size() == tensor.numel()) CopyInto<T>(tensor, field);
    return field.size();
  };
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return copy(proto.float_data(), float{});
    case DType::kFloat64:
      return copy(proto.double_data(), double{});
    case DType::kInt64:
      return copy(proto.int64_data(), int64_t{});
    case DType::kInt32:
      return copy(proto.int32_data(), int32_t{});
    case DType::kInt8:
      return copy(proto.int32_data(), int8_t{});
    case DType::kUInt8:
    case DType::kBool:
      return copy(proto.int32_data(), uint8_t{});
    case DType::kInt16:
      return copy(proto.int32_data(), int16_t{});
    default:  // also the bits of float16 and bfloat16
      return copy(proto.int32_data(), uint16_t{});
  }
}

}  // namespace

std::optional<DType> DTypeOfOnnx(int32_t data_type) {
  for (const DTypeEntry& entry : kDTypes)
    if (entry.onnx == data_type) return entry.dtype;
  return std::nullopt;
}

bool HasOnnxDType(DType dtype) {
  return std::any_of(std::begin(kDTypes), std::end(kDTypes),
                     [dtype](const DTypeEntry& entry) { return entry.dtype == dtype; });
}

int32_t OnnxDType(DType dtype) {
  for (const DTypeEntry& entry : kDTypes)
    if (entry.dtype == dtype) return entry.onnx;
  throw InputError("ONNX", "has no dtype " + std::string(DTypeName(dtype)));
}

std::string Printable(const std::string& text) {
  constexpr size_t kLongest = 200;
  std::string printable = text.substr(0, kLongest);
  for (char& c : printable)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return printable;
}

void FillTensorProto(const std::string& name, const Tensor& tensor,
                     onnx::TensorProto& proto) {
  proto.set_name(name);
  proto.set_data_type(OnnxDType(tensor.dtype()));
  for (const int64_t size : tensor.shape()) proto.add_dims(size);
  proto.set_raw_data(tensor.bytes(), tensor.byte_size());
}

Tensor TensorOfProto(const onnx::TensorProto& proto, const std::string& where) {
  const auto dtype = DTypeOfOnnx(proto.data_type());
  if (!dtype) {
    throw InputError(where, "data_type " + std::to_string(proto.data_type()),
                     "a plain dtype of ONNX");
  }
  if (proto.data_location() != onnx::TensorProto::DEFAULT ||
      proto.external_data_size() > 0)
    throw InputError(where, "its data lie in another file", "data inside this one");
  if (proto.has_segment()) throw InputError(where, "is a segment", "a whole tensor");
  constexpr int kMostDimensions = 64;
  if (proto.dims_size() > kMostDimensions) {
    throw InputError(where, "has " + std::to_string(proto.dims_size()) + " dimensions",
                     "at most " + std::to_string(kMostDimensions));
  }
  const Shape shape(proto.dims().begin(), proto.dims().end());
  const auto bytes = CheckedByteSize(shape, *dtype);
  if (!bytes) throw InputError(where, "absurd shape " + ShapeText(shape));
  // Checked before anything is allocated: the sizes are only a claim.
  if (proto.has_raw_data()) {
    if (proto.raw_data().size() != *bytes) {
      throw InputError(where, std::to_string(proto.raw_data().size()) + " bytes of data",
                       std::to_string(*bytes) + " for shape " + ShapeText(shape));
    }
    Tensor tensor = Tensor::Uninitialized(*dtype, shape);
    if (*bytes > 0) std::memcpy(tensor.bytes(), proto.raw_data().data(), *bytes);
    return tensor;
  }
  const auto elements = static_cast<int64_t>(*bytes / ItemSize(*dtype));
  const auto largest = static_cast<int64_t>(proto.ByteSizeLong());
  if (elements > largest) {
    throw InputError(where, "fewer elements than its shape " + ShapeText(shape) + " has");
  }
  Tensor tensor(*dtype, shape);
  const int64_t there = CopyTypedField(proto, tensor);
  if (there != elements) {
    throw InputError(where, std::to_string(there) + " elements",
                     std::to_string(elements) + " for shape " + ShapeText(shape));
  }
  return tensor;
}

std::string OnnxTensorBytes(const std::string& tensor_name, const Tensor& tensor) {
  onnx::TensorProto proto;
  constexpr auto kMost = static_cast<size_t>(INT32_MAX);
  const bool fits = tensor.byte_size() <= kMost;
  if (fits) FillTensorProto(tensor_name, tensor, proto);
  if (!fits || proto.ByteSizeLong() > kMost)
    throw InputError(tensor_name, "is larger than protobuf's 2 GiB");
  return proto.SerializeAsString();
}

Tensor ParseOnnxTensor(std::string_view bytes, const std::string& name) {
  onnx::TensorProto proto;
  if (bytes.size() > static_cast<size_t>(INT32_MAX) ||
      !proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    throw InputError(name, "is no protobuf of a TensorProto", "one of ONNX");
  }
  return TensorOfProto(proto, name);
}

}  // namespace qconform
