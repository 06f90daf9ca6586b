#include <bit>
#include <cmath>

#include "reference/formats/base64.h"
#include "reference/formats/json_value.h"
#include "reference/formats/tensor_json.h"
#include "reference/formats/tensor_size.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

static_assert(std::endian::native == std::endian::little, "raw bytes are little-endian");

class Reader {
 public:
  Reader(const JsonOrigin& origin, const OrderedMap<Tensor>* named)
      : origin_(origin), named_(named) {}

  Tensor Read(const ordered_json& value) const {
    RequireObject(value, "a tensor", origin_);
    RequireOnlyKeys(value, "a tensor",
                    {"dtype", "shape", "b64", "tensor", "v", "scale", "zero_point",
                     "scales", "zero_points", "axis", "parameter"},
                    origin_);
    const DType dtype = ReadDType(value);
    const Shape shape = ReadShape(value, dtype);
    const ordered_json* name = FindMember(value, "tensor");
    Tensor tensor = name != nullptr ? ReadNamed(*name, dtype, shape)
                                    : ReadInline(value, dtype, shape);
    CheckCodes(value, tensor);
    ReadQuantization(value, tensor);
    CheckValues(value, tensor);
    return tensor;
  }

 private:
  [[noreturn]] void Refuse(const ordered_json& value, const std::string& what,
                           const std::string& expected) const {
    throw InputError(origin_.Of(value), what, expected);
  }

  DType ReadDType(const ordered_json& value) const {
    const ordered_json& name = RequireMember(value, "dtype", origin_);
    const std::optional<DType> dtype =
        ParseDType(RequireString(name, "'dtype'", origin_));
    if (!dtype) {
      Refuse(name, "a tensor has the dtype " + DescribeJson(name),
             "a torch dtype such as float32");
    }
    return *dtype;
  }

  Shape ReadShape(const ordered_json& value, DType dtype) const {
    const ordered_json& sizes = RequireMember(value, "shape", origin_);
    Shape shape;
    for (const ordered_json& size : RequireArray(sizes, "'shape'", origin_)) {
      shape.push_back(RequireInteger(size, "a size", origin_));
    }
    if (!CheckedByteSize(shape, dtype)) {
      Refuse(sizes, "the shape " + ShapeText(shape) + " is absurd",
             "sizes that memory can hold");
    }
    return shape;
  }

  Tensor ReadNamed(const ordered_json& name, DType dtype, const Shape& shape) const {
    const std::string& key = RequireString(name, "'tensor'", origin_);
    if (named_ == nullptr) {
      Refuse(name, "tensor '" + key + "' is kept elsewhere",
             "a tensor with 'b64', or a model or fill that brings the tensors");
    }
    const Tensor* stored = named_->Find(key);
    if (stored == nullptr) {
      Refuse(name, "there is no tensor '" + key + "' in the safetensors file",
             "one of its " + std::to_string(named_->size()) + " tensors");
    }
    if (stored->dtype() != StorageDType(dtype) || stored->shape() != shape) {
      Refuse(name,
             "tensor '" + key + "' is " + std::string(DTypeName(stored->dtype())) + " " +
                 ShapeText(stored->shape()) + " in the safetensors file",
             std::string(DTypeName(StorageDType(dtype))) + " " + ShapeText(shape));
    }
    return stored->ViewedAs(dtype);
  }

  Tensor ReadInline(const ordered_json& value, DType dtype, const Shape& shape) const {
    const ordered_json& encoded = RequireMember(value, "b64", origin_);
    const std::string& text = RequireString(encoded, "'b64'", origin_);
    const uint64_t size = *CheckedByteSize(shape, dtype);
    if (DecodedBase64Size(text) != size) {
      Refuse(encoded, "'b64' holds " + std::to_string(DecodedBase64Size(text)) + " bytes",
             std::to_string(size) + " for " + std::string(DTypeName(dtype)) + " " +
                 ShapeText(shape));
    }
    Tensor tensor(dtype, shape);
    if (!DecodeBase64(text, {tensor.bytes(), tensor.byte_size()})) {
      Refuse(encoded, "'b64' is not base64", "letters, digits, + and /, padded with =");
    }
    return tensor;
  }

  // bool, quint4x2 and quint2x4 use part of their byte.
  void CheckCodes(const ordered_json& value, const Tensor& tensor) const {
    if (tensor.dtype() != DType::kBool && tensor.dtype() != DType::kQUInt4x2 &&
        tensor.dtype() != DType::kQUInt2x4) {
      return;
    }
    const auto most = static_cast<uint8_t>(CodeRange(tensor.dtype()).max);
    const auto* codes = tensor.data<uint8_t>();
    for (int64_t i = 0; i < tensor.numel(); ++i) {
      if (codes[i] > most) {
        Refuse(value,
               "element " + std::to_string(i) + " of a " +
                   std::string(DTypeName(tensor.dtype())) + " tensor is " +
                   std::to_string(codes[i]),
               "at most " + std::to_string(most));
      }
    }
  }

  void ReadQuantization(const ordered_json& value, Tensor& tensor) const {
    const ordered_json* scale = FindMember(value, "scale");
    const ordered_json* scales = FindMember(value, "scales");
    if (scale == nullptr && scales == nullptr) return;
    if (!IsQuantizedDType(tensor.dtype())) {
      Refuse(value, "a " + std::string(DTypeName(tensor.dtype())) + " tensor has a scale",
             "a quantized dtype such as quint8");
    }
    QuantizationParameters parameters;
    if (scale != nullptr) {
      const ordered_json& zero_point = RequireMember(value, "zero_point", origin_);
      parameters.scale = {RequireReal(*scale, "'scale'", origin_)};
      parameters.zero_point = {RequireReal(zero_point, "'zero_point'", origin_)};
    } else {
      parameters.scale = ReadVector(*scales);
      parameters.zero_point = ReadVector(RequireMember(value, "zero_points", origin_));
      const ordered_json& axis = RequireMember(value, "axis", origin_);
      const int64_t number = RequireInteger(axis, "'axis'", origin_);
      if (number < 0 || number >= tensor.rank()) {
        Refuse(axis, "the axis is " + std::to_string(number),
               "0 to " + std::to_string(tensor.rank() - 1));
      }
      parameters.axis = static_cast<int>(number);
      const auto count = static_cast<size_t>(tensor.dim(parameters.axis));
      if (parameters.scale.size() != count || parameters.zero_point.size() != count) {
        Refuse(value,
               "there are " + std::to_string(parameters.scale.size()) + " scales and " +
                   std::to_string(parameters.zero_point.size()) + " zero points",
               std::to_string(count) + " of each");
      }
    }
    for (const double s : parameters.scale) {
      if (!std::isfinite(s) || s <= 0) {
        Refuse(value, "a scale is " + DescribeJson(RealToJson(s)),
               "a finite number above 0");
      }
    }
    for (const double z : parameters.zero_point) {
      if (!std::isfinite(z)) {
        Refuse(value, "a zero point is " + DescribeJson(RealToJson(z)),
               "a finite number");
      }
    }
    tensor.set_quantization(std::move(parameters));
  }

  std::vector<double> ReadVector(const ordered_json& value) const {
    const Tensor tensor = Read(value);
    if (tensor.rank() != 1 || !HasReadableValues(tensor.dtype())) {
      Refuse(value, "qparams have the shape " + ShapeText(tensor.shape()), "one axis");
    }
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.numel(); ++i) values.push_back(tensor.ValueAt(i));
    return values;
  }

  void CheckValues(const ordered_json& value, const Tensor& tensor) const {
    const ordered_json* values = FindMember(value, "v");
    if (values == nullptr || !HasReadableValues(tensor.dtype())) return;
    RequireArray(*values, "'v'", origin_);
    bool same = static_cast<int64_t>(values->size()) == tensor.numel();
    for (int64_t i = 0; same && i < tensor.numel(); ++i) {
      const ordered_json& item = (*values)[static_cast<size_t>(i)];
      if (item.is_boolean() || IsFloatingDType(tensor.dtype())) {
        const double a = item.is_boolean() ? static_cast<double>(item.get<bool>())
                                           : RequireReal(item, "a value", origin_);
        const double b = tensor.ValueAt(i);
        same = a == b || (std::isnan(a) && std::isnan(b));
      } else {
        same = RequireInteger(item, "a value", origin_) == tensor.IntegerAt(i);
      }
    }
    if (!same) {
      Refuse(*values, "'v' contradicts the tensor's bytes", "the values of 'b64'");
    }
  }

  const JsonOrigin& origin_;
  const OrderedMap<Tensor>* named_;
};

}  // namespace

bool IsTensorJson(const ordered_json& value) {
  return value.is_object() && FindMember(value, "dtype") != nullptr &&
         FindMember(value, "shape") != nullptr;
}

Tensor TensorFromJson(const ordered_json& value, const JsonOrigin& origin,
                      const OrderedMap<Tensor>* named) {
  return Reader(origin, named).Read(value);
}

}  // namespace qconform
