// Expected numbers: torch 2.14.1 on P(...) of ops_testing.h, for the calls that the
// tests spell out. The arithmetic itself is tested in reference/numerics.
#include "reference/ir/error.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

Tensor Reals(std::vector<float> values) {
  const int64_t size = static_cast<int64_t>(values.size());
  return Tensor::FromVector<float>(DType::kFloat32, {size}, values);
}

Tensor Integers(std::vector<int64_t> values) {
  const int64_t size = static_cast<int64_t>(values.size());
  return Tensor::FromVector<int64_t>(DType::kInt64, {size}, values);
}

void ExpectCodes(const Value& value, DType dtype, const std::vector<int64_t>& codes) {
  const Tensor* tensor = value.As<Tensor>();
  ASSERT_NE(tensor, nullptr);
  EXPECT_EQ(tensor->dtype(), dtype);
  ASSERT_EQ(tensor->numel(), static_cast<int64_t>(codes.size()));
  for (size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(tensor->IntegerAt(static_cast<int64_t>(i)), codes[i]) << "element " << i;
  }
}

TEST(Quantize, PerTensorWithTensorParameters) {
  const Value q = CallByName("torch.quantize_per_tensor",
                             {Pattern({6}, 1), Reals({0.25f}).Reshaped({}),
                              Integers({130}).Reshaped({}), DType::kQUInt8});
  ExpectCodes(q, DType::kQUInt8, {129, 132, 136, 124, 128, 132});
  ExpectTensor(CallByName("dequantize", {q}), {6},
               {-0.25f, 0.5f, 1.5f, -1.5f, -0.5f, 0.5f});
}

TEST(Quantize, PerChannel) {
  const Value q = CallByName(
      "torch.quantize_per_channel",
      {Pattern({2, 3}, 1), Reals({0.25f, 0.5f}), Integers({0, 3}), 0, DType::kQInt8});
  ExpectCodes(q, DType::kQInt8, {-1, 2, 6, 0, 2, 4});
  ExpectTensor(CallByName("dequantize", {q}), {2, 3},
               {-0.25f, 0.5f, 1.5f, -1.5f, -0.5f, 0.5f});
}

TEST(Quantize, Dynamic) {
  const Value q = CallByName("torch.quantize_per_tensor_dynamic",
                             {Pattern({6}, 1), DType::kQUInt8, false});
  ExpectCodes(q, DType::kQUInt8, {107, 181, 255, 0, 75, 181});
  const Value half = CallByName("torch.quantize_per_tensor_dynamic",
                                {Pattern({6}, 1), DType::kFloat16, false});
  ExpectTensor(CallByName("dequantize", {half}), {6},
               {-0.25f, 0.625f, 1.5f, -1.5f, -0.625f, 0.625f});
}

TEST(Quantize, DecomposedClampsToItsBounds) {
  const Value q = CallByName("quantized_decomposed.quantize_per_tensor.default",
                             {Pattern({6}, 1), 0.25, 3, 0, 7, DType::kUInt8});
  ExpectCodes(q, DType::kUInt8, {2, 5, 7, 0, 1, 5});
  ExpectTensor(CallByName("quantized_decomposed.dequantize_per_tensor.default",
                          {q, 0.25, 3, 0, 7, DType::kUInt8}),
               {6}, {-0.25f, 0.5f, 1.0f, -0.75f, -0.5f, 0.5f});
  EXPECT_THROW(CallByName("quantized_decomposed.dequantize_per_tensor.default",
                          {q, 0.25, 3, 0, 7, DType::kInt8}),
               InputError);
}

TEST(Quantize, DecomposedChooseQparams) {
  const Value chosen = CallByName("quantized_decomposed.choose_qparams.tensor",
                                  {Pattern({6}, 1), 0, 255, 1e-7, DType::kUInt8});
  const auto& items = chosen.As<ValueSequence>()->items;
  EXPECT_EQ(items.at(0).As<Tensor>()->ValueAt(0), double{0.0117647061124444f});
  EXPECT_EQ(items.at(1).As<Tensor>()->IntegerAt(0), 128);
}

TEST(Quantize, WrongParametersAreErrors) {
  EXPECT_THROW(
      CallByName("torch.quantize_per_channel",
                 {Pattern({2, 3}, 1), Reals({0.25f}), Integers({0}), 0, DType::kQInt8}),
      InputError);
  EXPECT_THROW(CallByName("torch.quantize_per_tensor",
                          {Pattern({2}, 1), 0.25, 0, DType::kFloat32}),
               InputError);
  // Plain operators do not take codes.
  const Value q =
      CallByName("torch.quantize_per_tensor", {Pattern({2}, 1), 0.25, 0, DType::kQInt8});
  EXPECT_THROW(CallByName("torch.relu", {q}), InputError);
  EXPECT_THROW(CallByName("operator.add", {q, 1}), InputError);
}

Module ReferenceLinear(bool decomposed) {
  Module module;
  module.type = "torch.ao.nn.quantized.reference.Linear";
  module.parameters.Set("weight", Pattern({2, 3}, 2));
  module.parameters.Set("bias", Pattern({2}, 3));
  module.buffers.Set("weight_scale", Reals({0.25f, 0.5f}));
  module.buffers.Set("weight_zero_point", Integers({0, 0}));
  module.attributes.Set("weight_qscheme", "torch.per_channel_affine");
  module.attributes.Set("weight_dtype", "torch.qint8");
  module.attributes.Set("weight_axis_int", 0);
  module.attributes.Set("weight_quant_min", -2);
  module.attributes.Set("weight_quant_max", 2);
  module.attributes.Set("is_decomposed", decomposed);
  return module;
}

// Only the decomposed operators know of quant_min and quant_max.
TEST(ReferenceModule, LinearQuantizesItsWeight) {
  for (const bool decomposed : {false, true}) {
    Module module = ReferenceLinear(decomposed);
    const Value y =
        CallModule(module, Call("test", {Pattern({1, 3}, 1)}), Registry::BuiltIn());
    ExpectTensor(y, {1, 2},
                 decomposed ? std::vector<float>{-2.0625f, -0.875f}
                            : std::vector<float>{-3.3125f, -1.625f});
    // The module itself keeps its float weight.
    EXPECT_TRUE(BitEqual(*module.FindTensor("weight"), Pattern({2, 3}, 2)));
  }
}

TEST(ReferenceModule, ScalesMustFitTheAxis) {
  Module module = ReferenceLinear(false);
  module.attributes.Set("weight_axis_int", 1);
  EXPECT_THROW(
      CallModule(module, Call("test", {Pattern({1, 3}, 1)}), Registry::BuiltIn()),
      InputError);
}

// pytorch/pytorch#60077: a graph's quantize function wraps round in torch.
TEST(QuantizeFunctions, SaturateInTheSaturatingRegistry) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* q = module.graph.Append(Op::kCallFunction, "torch.quantize_per_tensor",
                                {x, 0.5, 133, DType::kQUInt8});
  module.graph.Append(Op::kOutput, "output", {q});
  const Tensor input = Tensor::FromVector<float>(
      DType::kFloat32, {3}, {std::numeric_limits<float>::infinity(), 1e30f, -1e30f});
  const auto codes = [&](const Registry& registry) {
    const Value value = Interpreter(module, registry).Run({input});
    const Tensor& tensor = *value.As<Tensor>();
    return std::vector<int64_t>{tensor.IntegerAt(0), tensor.IntegerAt(1),
                                tensor.IntegerAt(2)};
  };
  EXPECT_EQ(codes(Registry::BuiltIn()), (std::vector<int64_t>{0, 0, 0}));
  EXPECT_EQ(codes(Registry::Saturating()), (std::vector<int64_t>{255, 255, 0}));
}

}  // namespace
}  // namespace qconform
