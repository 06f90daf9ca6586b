#include "reference/formats/tensor_json.h"

#include <gtest/gtest.h>

#include <limits>

#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

// A tensor of each dtype, per tensor or per channel where it is quantized.
std::vector<Tensor> Tensors() {
  std::vector<Tensor> tensors;
  for (const char* name :
       {"float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "uint16",
        "int32", "int64", "bool", "qint8", "quint8", "qint32", "quint4x2", "quint2x4",
        "float8_e5m2", "float8_e4m3fn"}) {
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{3}, Shape{2, 5}}) {
      Tensor tensor(*ParseDType(name), shape);
      for (size_t i = 0; i < tensor.byte_size(); ++i) {
        tensor.bytes()[i] = static_cast<std::byte>(i % 2);
      }
      if (IsQuantizedDType(tensor.dtype())) {
        if (shape.size() == 2) {
          tensor.set_quantization({{0.1, 0.25}, {3, -4}, 0});
        } else {
          tensor.set_quantization({{0.1}, {3}, -1});
        }
      }
      tensors.push_back(std::move(tensor));
    }
  }
  return tensors;
}

TEST(TensorJsonTest, EveryDTypeComesBack) {
  for (const Tensor& tensor : Tensors()) {
    const Tensor inline_copy = TensorFromJson(TensorToJson(tensor), "tensor");
    EXPECT_TRUE(BitEqual(tensor, inline_copy)) << DTypeName(tensor.dtype());
    OrderedMap<Tensor> named;
    const ordered_json value = TensorToJson(tensor, "w", named);
    EXPECT_EQ(named.size(), tensor.numel() > kMaxInlineElements ? 1u : 0u);
    EXPECT_TRUE(BitEqual(tensor, TensorFromJson(value, "tensor", &named)));
  }
}

TEST(TensorJsonTest, ReadsWhatTorchRecordsHold) {
  const auto value = ordered_json::parse(
      R"({"dtype": "quint8", "scale": 0.029135895892977715, "zero_point": 52,
          "shape": [2, 4, 1, 1], "b64": "NDgxMTw6Kyw=",
          "v": [52, 56, 49, 49, 60, 58, 43, 44]})");
  const Tensor tensor = TensorFromJson(value, "tensor");
  EXPECT_EQ(tensor.dtype(), DType::kQUInt8);
  EXPECT_EQ(tensor.IntegerAt(5), 58);
  EXPECT_EQ(tensor.quantization()->zero_point[0], 52);
}

TEST(TensorJsonTest, NonFiniteValuesComeBack) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor tensor =
      Tensor::FromVector<double>(DType::kFloat64, {4}, {nan, infinity, -infinity, -0.0});
  const ordered_json value = TensorToJson(tensor);
  EXPECT_EQ(value["v"].dump(), R"(["NaN","Infinity","-Infinity",-0.0])");
  EXPECT_TRUE(BitEqual(tensor, TensorFromJson(value, "tensor")));
}

std::string ReadError(const char* text) {
  return ErrorOf([&] { TensorFromJson(ordered_json::parse(text), "t"); });
}

TEST(TensorJsonTest, MalformedTensors) {
  EXPECT_EQ(ReadError(R"({"dtype": "float31", "shape": [1], "b64": ""})"),
            "t: a tensor has the dtype \"float31\", expected a torch dtype such as "
            "float32");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [3], "b64": "AAA="})"),
            "t: 'b64' holds 2 bytes, expected 3 for int8 [3]");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [3], "b64": "A*AA"})"),
            "t: 'b64' is not base64, expected letters, digits, + and /, padded with =");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [2], "b64": "AAB="})"),
            "t: 'b64' is not base64, expected letters, digits, + and /, padded with =");
  EXPECT_EQ(
      ReadError(R"({"dtype": "int8", "shape": [4294967296, 4294967296], "b64": ""})"),
      "t: the shape [4294967296, 4294967296] is absurd, expected sizes that memory can "
      "hold");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [-1], "b64": ""})"),
            "t: the shape [-1] is absurd, expected sizes that memory can hold");
  EXPECT_EQ(ReadError(R"({"dtype": "bool", "shape": [3], "b64": "AAEC"})"),
            "t: element 2 of a bool tensor is 2, expected at most 1");
  EXPECT_EQ(ReadError(R"({"dtype": "quint4x2", "shape": [3], "b64": "DxAA"})"),
            "t: element 1 of a quint4x2 tensor is 16, expected at most 15");
  EXPECT_EQ(
      ReadError(R"({"dtype": "int8", "shape": [3], "b64": "AAEC", "v": [0, 1, 3]})"),
      "t: 'v' contradicts the tensor's bytes, expected the values of 'b64'");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [3], "tensor": "w"})"),
            "t: tensor 'w' is kept elsewhere, expected a tensor with 'b64', or a "
            "model or fill that brings the tensors");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [3], "b64": "AAEC", "x": 1})")
                .substr(0, 35),
            "t: a tensor has an unknown key 'x',");
}

TEST(TensorJsonTest, MalformedQuantization) {
  const std::string head = R"({"dtype": "quint8", "shape": [3], "b64": "AAEC", )";
  EXPECT_EQ(ReadError((head + R"("scale": "NaN", "zero_point": 0})").c_str()),
            "t: a scale is \"NaN\", expected a finite number above 0");
  EXPECT_EQ(ReadError((head + R"("scale": 0.0, "zero_point": 0})").c_str()),
            "t: a scale is 0.0, expected a finite number above 0");
  EXPECT_EQ(ReadError((head + R"("scale": 0.5})").c_str()),
            "t: 'zero_point' is missing, expected an object with this key");
  EXPECT_EQ(ReadError((head + R"("scale": 0.5, "zero_point": "Infinity"})").c_str()),
            "t: a zero point is \"Infinity\", expected a finite number");
  const std::string one = R"({"dtype": "float64", "shape": [1], "b64": "AAAAAAAA8D8="})";
  EXPECT_EQ(ReadError((head + R"("scales": )" + one + R"(, "zero_points": )" + one +
                       R"(, "axis": 0})")
                          .c_str()),
            "t: there are 1 scales and 1 zero points, expected 3 of each");
  EXPECT_EQ(ReadError((head + R"("scales": )" + one + R"(, "zero_points": )" + one +
                       R"(, "axis": 1})")
                          .c_str()),
            "t: the axis is 1, expected 0 to 0");
  EXPECT_EQ(ReadError(R"({"dtype": "int8", "shape": [3], "b64": "AAEC", "scale": 1.0,
                          "zero_point": 0})"),
            "t: a int8 tensor has a scale, expected a quantized dtype such as quint8");
}

TEST(TensorJsonTest, NamedTensorsMustAgree) {
  OrderedMap<Tensor> named;
  named.Set("w", Tensor(DType::kUInt8, {3}));
  const auto read = [&](const char* text) {
    return ErrorOf([&] { TensorFromJson(ordered_json::parse(text), "t", &named); });
  };
  EXPECT_EQ(read(R"({"dtype": "quint8", "shape": [3], "tensor": "w"})"), "no error");
  EXPECT_EQ(read(R"({"dtype": "qint8", "shape": [3], "tensor": "w"})"),
            "t: tensor 'w' is uint8 [3] in the safetensors file, expected int8 [3]");
  EXPECT_EQ(read(R"({"dtype": "quint8", "shape": [3, 1], "tensor": "w"})"),
            "t: tensor 'w' is uint8 [3] in the safetensors file, expected uint8 [3, 1]");
  EXPECT_EQ(read(R"({"dtype": "quint8", "shape": [3], "tensor": "v"})"),
            "t: there is no tensor 'v' in the safetensors file, expected one of its 1 "
            "tensors");
}

}  // namespace
}  // namespace qconform
