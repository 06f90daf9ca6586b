// Models and tensors come back as they were, and a file that is none is refused by one
// line, whatever it claims.
#include <gtest/gtest.h>

#include "reference/formats/damage.h"
#include "reference/formats/onnx_model.h"
#include "reference/formats/onnx_proto.h"

namespace qconform {
namespace {

OnnxModel SmallModel() {
  OnnxModel model;
  model.name = "small";
  model.producer = "qconform";
  model.inputs = {{"x", DType::kUInt8, {2, 3}}};
  model.outputs = {{"y", DType::kUInt8, {2, 3}}};
  model.initializers.Set("s", Tensor::FromVector<float>(DType::kFloat32, {}, {0.5f}));
  model.initializers.Set("z", Tensor::FromVector<uint8_t>(DType::kUInt8, {}, {3}));
  model.nodes = {
      {"d", "DequantizeLinear", {"x", "s", "z"}, {"r"}, {{"axis", int64_t{1}}}},
      {"e", "LeakyRelu", {"r"}, {"t"}, {{"alpha", 0.25f}}},
      {"q", "QuantizeLinear", {"t", "s", "z"}, {"y"}, {}}};
  return model;
}

template <typename Change>
std::string ErrorOfModel(const Change& change) {
  onnx::ModelProto proto;
  proto.ParseFromString(OnnxModelBytes(SmallModel()));
  change(proto);
  return ErrorOf([&] { ParseOnnxModel(proto.SerializeAsString(), "m.onnx"); });
}

template <typename Change>
std::string ErrorOfTensor(const Change& change) {
  onnx::TensorProto proto;
  proto.ParseFromString(OnnxTensorBytes("t", Tensor(DType::kFloat32, {2, 3})));
  change(proto);
  return ErrorOf([&] { ParseOnnxTensor(proto.SerializeAsString(), "t.pb"); });
}

TEST(OnnxTest, ModelsComeBack) {
  const OnnxModel model = SmallModel();
  const std::string bytes = OnnxModelBytes(model);
  const OnnxModel again = ParseOnnxModel(bytes, "m.onnx");
  EXPECT_EQ(again.nodes, model.nodes);
  EXPECT_EQ(again.inputs, model.inputs);
  EXPECT_EQ(again.outputs, model.outputs);
  ASSERT_EQ(again.initializers.size(), 2u);
  EXPECT_TRUE(BitEqual(*again.initializers.Find("z"), *model.initializers.Find("z")));
  EXPECT_EQ(OnnxModelBytes(again), bytes);
}

TEST(OnnxTest, TensorsOfEveryDTypeComeBack) {
  for (const DType dtype : {DType::kFloat32, DType::kFloat64, DType::kFloat16,
                            DType::kBFloat16, DType::kInt8, DType::kUInt8, DType::kInt16,
                            DType::kUInt16, DType::kInt32, DType::kInt64, DType::kBool}) {
    Tensor tensor(dtype, {3, 0, 2});
    EXPECT_TRUE(BitEqual(ParseOnnxTensor(OnnxTensorBytes("t", tensor), "t"), tensor));
    tensor = Tensor(dtype, {2, 2});
    for (size_t i = 0; i < tensor.byte_size(); ++i)
      tensor.bytes()[i] = static_cast<std::byte>(i & 1);
    EXPECT_TRUE(BitEqual(ParseOnnxTensor(OnnxTensorBytes("t", tensor), "t"), tensor))
        << DTypeName(dtype);
  }
}

// Other writers use the typed fields of a TensorProto instead of raw_data.
TEST(OnnxTest, TypedFieldsAreRead) {
  onnx::TensorProto proto;
  proto.set_data_type(onnx::TensorProto::INT8);
  proto.add_dims(2);
  proto.add_int32_data(-128);
  proto.add_int32_data(127);
  const Tensor tensor = ParseOnnxTensor(proto.SerializeAsString(), "t");
  EXPECT_EQ(tensor.ValueAt(0), -128);
  EXPECT_EQ(tensor.ValueAt(1), 127);
}

TEST(OnnxTest, TensorsThatClaimTooMuchAreRefused) {
  EXPECT_EQ(ErrorOfTensor([](auto& t) { t.set_dims(0, int64_t{1} << 50); }),
            "t.pb: absurd shape [1125899906842624, 3]");
  EXPECT_EQ(ErrorOfTensor([](auto& t) { t.set_dims(0, -2); }),
            "t.pb: absurd shape [-2, 3]");
  EXPECT_EQ(ErrorOfTensor([](auto& t) { t.set_dims(0, 3); }),
            "t.pb: 24 bytes of data, expected 36 for shape [3, 3]");
  EXPECT_EQ(ErrorOfTensor([](auto& t) {
              t.clear_raw_data();
              t.set_dims(0, 1'000'000'000);
            }),
            "t.pb: fewer elements than its shape [1000000000, 3] has");
  EXPECT_EQ(ErrorOfTensor([](auto& t) {
              t.clear_raw_data();
              t.add_float_data(1);
            }),
            "t.pb: 1 elements, expected 6 for shape [2, 3]");
  EXPECT_EQ(ErrorOfTensor([](auto& t) { t.set_data_type(8); }),
            "t.pb: data_type 8, expected a plain dtype of ONNX");
  EXPECT_EQ(ErrorOfTensor([](auto& t) {
              for (int i = 0; i < 1000; ++i) t.add_dims(1);
            }),
            "t.pb: has 1002 dimensions, expected at most 64");
  EXPECT_EQ(ErrorOf([] { ParseOnnxTensor("\xff\xff\xff", "t.pb"); }),
            "t.pb: is no protobuf of a TensorProto, expected one of ONNX");
}

// No path of a file is followed, wherever it leads.
TEST(OnnxTest, ExternalDataAreRefused) {
  for (const char* path : {"weights.bin", "../../etc/passwd", "/etc/passwd"}) {
    EXPECT_EQ(ErrorOfTensor([path](auto& t) {
                t.clear_raw_data();
                t.set_data_location(onnx::TensorProto::EXTERNAL);
                auto& entry = *t.add_external_data();
                entry.set_key("location");
                entry.set_value(path);
              }),
              "t.pb: its data lie in another file, expected data inside this one");
  }
}

TEST(OnnxTest, ModelsThatAreNoneAreRefused) {
  EXPECT_EQ(ErrorOfModel([](auto& m) { m.mutable_opset_import(0)->set_version(11); }),
            "m.onnx: opset 11, expected 17");
  EXPECT_EQ(ErrorOfModel([](auto& m) {
              m.mutable_graph()->mutable_node(1)->set_domain("com.microsoft");
            }),
            "m.onnx: node 'e': domain 'com.microsoft', expected an operator of the "
            "standard domain");
  EXPECT_EQ(ErrorOfModel([](auto& m) {
              m.mutable_graph()->mutable_node(1)->set_input(0, "later");
            }),
            "m.onnx: node 'e' reads 'later', which nothing before it makes");
  EXPECT_EQ(ErrorOfModel(
                [](auto& m) { m.mutable_graph()->mutable_node(1)->set_input(0, "t"); }),
            "m.onnx: node 'e' reads 't', which nothing before it makes");
  EXPECT_EQ(
      ErrorOfModel(
          [](auto& m) { m.mutable_graph()->mutable_node(1)->set_output(0, "x"); }),
      "m.onnx: the value 'x' is made twice or has no name, expected one node, input "
      "or initializer for each");
  EXPECT_EQ(ErrorOfModel([](auto& m) {
              auto& attribute = *m.mutable_graph()->mutable_node(1)->add_attribute();
              attribute.set_name("body");
              attribute.set_type(onnx::AttributeProto::GRAPH);
            }),
            "m.onnx: node 'e': attribute 'body' is of another kind, expected a number, a "
            "text or a list of numbers");
  EXPECT_EQ(ErrorOfModel([](auto& m) { m.add_functions(); }),
            "m.onnx: has functions or sparse tensors, expected none");
  EXPECT_EQ(ErrorOfModel([](auto& m) {
              m.mutable_graph()->mutable_initializer(0)->set_name("a\nb");
              m.mutable_graph()->mutable_initializer(0)->clear_dims();
              m.mutable_graph()->mutable_initializer(0)->add_dims(9);
            }),
            "m.onnx: tensor 'a?b': 4 bytes of data, expected 36 for shape [9]");
}

TEST(OnnxTest, DamagedModels) {
  const auto read = [](const std::string& bytes) { ParseOnnxModel(bytes, "fuzz"); };
  const int readable = CountReadable(OnnxModelBytes(SmallModel()), 10'000, read);
  EXPECT_GT(readable, 50);  // the damage reaches past protobuf
  EXPECT_LT(readable, 9'000);
}

TEST(OnnxTest, DamagedTensors) {
  const auto read = [](const std::string& bytes) { ParseOnnxTensor(bytes, "fuzz"); };
  const std::string bytes = OnnxTensorBytes("t", Tensor(DType::kInt64, {2, 3}));
  const int readable = CountReadable(bytes, 10'000, read);
  EXPECT_GT(readable, 50);
  EXPECT_LT(readable, 9'000);
}

}  // namespace
}  // namespace qconform
