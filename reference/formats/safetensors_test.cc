#include "reference/formats/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "reference/ir/expect_error.h"

namespace qconform {
namespace {

std::string File(const std::string& header, const std::string& data) {
  const uint64_t length = header.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string ParseError(const std::string& bytes) {
  return ErrorOf([&] { ParseSafetensors(bytes, "a"); });
}

std::string Entry(const std::string& name, const std::string& shape, int begin, int end) {
  return "\"" + name + R"(":{"dtype":"U8","shape":[)" + shape + R"(],"data_offsets":[)" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}

TEST(SafetensorsTest, EveryDTypeComesBackAligned) {
  OrderedMap<Tensor> tensors;
  for (const char* name :
       {"uint8", "int8", "bool", "float8_e5m2", "float8_e4m3fn", "int16", "uint16",
        "float16", "bfloat16", "int32", "float32", "int64", "float64"}) {
    Tensor tensor(*ParseDType(name), {1, 3});
    std::memset(tensor.bytes(), 1, tensor.byte_size());
    tensors.Set(name, tensor);
  }
  tensors.Set("scalar", Tensor(DType::kFloat32, {}));
  tensors.Set("empty", Tensor(DType::kFloat32, {0, 4}));
  const std::string bytes = SafetensorsBytes(tensors);
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ((8 + length) % 8, 0u);
  const OrderedMap<Tensor> read = ParseSafetensors(bytes, "a");
  ASSERT_EQ(read.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    ASSERT_TRUE(read.Contains(name));
    EXPECT_TRUE(BitEqual(*read.Find(name), tensor)) << name;
  }
  size_t last = 8;  // larger elements come first
  for (const auto& [name, tensor] : read) {
    EXPECT_LE(ItemSize(tensor.dtype()), last);
    last = ItemSize(tensor.dtype());
  }
}

TEST(SafetensorsTest, BytesDoNotDependOnTheOrder) {
  const Tensor a(DType::kFloat32, {2});
  const Tensor b(DType::kInt8, {2});
  EXPECT_EQ(SafetensorsBytes({{"a", a}, {"b", b}}),
            SafetensorsBytes({{"b", b}, {"a", a}}));
}

TEST(SafetensorsTest, QuantizedDTypesAreNotWritten) {
  EXPECT_EQ(ErrorOf([] {
              SafetensorsBytes({{"a", Tensor(DType::kQInt8, {1})}});
            }),
            "tensor 'a': safetensors has no dtype qint8, expected its codes as a plain "
            "dtype");
}

TEST(SafetensorsTest, MetadataIsAllowed) {
  EXPECT_EQ(ParseError(File(R"({"__metadata__":{"format":"pt"}})", "")), "no error");
  EXPECT_NE(ParseError(File(R"({"__metadata__":{"format":1}})", "")), "no error");
}

TEST(SafetensorsTest, MalformedFiles) {
  EXPECT_EQ(ParseError("abc"),
            "a:byte 0: the file has 3 bytes, expected 8 bytes of header length");
  EXPECT_EQ(
      ParseError(std::string("\x10\0\0\0\0\0\0\0{}", 10)),
      "a:byte 0: the header length is 16, expected at most the 2 bytes that follow");
  EXPECT_EQ(ParseError(std::string(8, '\xff') + "{}"),
            "a:byte 0: the header length is 18446744073709551615, expected at most the 2 "
            "bytes that follow");
  EXPECT_EQ(ParseError(File("[]", "")),
            "a:byte 8: the header is no JSON object, expected '{'");
  EXPECT_NE(ParseError(File("{", "")), "no error");
  const std::string good =
      "{" + Entry("x", "2", 0, 2) + "," + Entry("y", "1,3", 2, 5) + "}";
  EXPECT_EQ(ParseError(File(good, "12345")), "no error");
  EXPECT_EQ(
      ParseError(File(good, "1234")),
      "a:byte " + std::to_string(8 + good.size() + 2) +
          ": tensor 'y' ends at 5 and the file is cut off, expected at most 4 bytes "
          "of data");
  EXPECT_EQ(ParseError(File(good, "123456")),
            "a:byte " + std::to_string(8 + good.size() + 5) +
                ": 1 bytes belong to no tensor, expected the end of the file");
}

TEST(SafetensorsTest, LyingHeaders) {
  const auto error = [](const std::string& entries) {
    const std::string text = ParseError(File("{" + entries + "}", "12345"));
    return text.substr(text.find("tensor"));
  };
  EXPECT_EQ(error(Entry("x", "2", 0, 2) + "," + Entry("y", "4", 1, 5)),
            "tensor 'y' overlaps the tensor before it, expected a begin of 2");
  EXPECT_EQ(error(Entry("x", "2", 0, 2) + "," + Entry("y", "2", 3, 5)),
            "tensor 'y' leaves a gap before it, expected a begin of 2, not 3");
  EXPECT_EQ(error(Entry("x", "6", 0, 5)),
            "tensor 'x' spans 5 bytes, expected 6 for uint8 [6]");
  EXPECT_EQ(
      error(Entry("x", "4294967296,4294967296", 0, 5)),
      "tensor 'x' has the absurd shape [4294967296, 4294967296], expected sizes that "
      "memory can hold");
  EXPECT_EQ(error(Entry("x", "-5", 0, 5)),
            "tensor 'x' has the absurd shape [-5], expected sizes that memory can hold");
  EXPECT_EQ(
      error(R"("x":{"dtype":"U32","shape":[1],"data_offsets":[0,4]})"),
      "tensor 'x': the dtype is 'U32', expected F64, F32, F16, BF16, I64, I32, I16, "
      "I8, U16, U8, BOOL, F8_E5M2 or F8_E4M3");
  EXPECT_EQ(error(Entry("x", "1", 5, 4)),
            "tensor 'x': data_offsets are 5 and 4, expected 0 <= begin <= end");
  EXPECT_EQ(error(R"("x":{"dtype":"BOOL","shape":[5],"data_offsets":[0,5]})"),
            "tensor 'x' has a bool of 49, expected 0 or 1");
}

}  // namespace
}  // namespace qconform
