#include "reference/ir/tensor.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "reference/ir/half.h"
#include "reference/ir/module.h"

namespace qconform {
namespace {

TEST(Tensor, CopiesShareAndClonesDoNot) {
  Tensor tensor = Tensor::FromVector<float>(DType::kFloat32, {2}, {1, 2});
  Tensor view = tensor.Reshaped({1, 2});
  Tensor clone = tensor.Clone();
  tensor.data<float>()[0] = 5;
  EXPECT_EQ(view.ValueAt(0), 5);
  EXPECT_EQ(clone.ValueAt(0), 1);
}

TEST(Tensor, BitEqualSeesQuantizationAndNegativeZero) {
  Tensor a = Tensor::FromVector<float>(DType::kFloat32, {1}, {0.0f});
  Tensor b = Tensor::FromVector<float>(DType::kFloat32, {1}, {-0.0f});
  EXPECT_FALSE(BitEqual(a, b));
  Tensor c = a.Clone();
  EXPECT_TRUE(BitEqual(a, c));
  c.set_quantization({{0.5}, {3}, -1});
  EXPECT_FALSE(BitEqual(a, c));
}

TEST(Tensor, ZeroSizesAreLegal) {
  EXPECT_EQ(Tensor(DType::kQInt8, {0, 3}).numel(), 0);
  EXPECT_EQ(Tensor(DType::kFloat32, {}).numel(), 1);
}

// Every half is exact in float32, so the way back must find it again.
TEST(Half, RoundTripsEveryPattern) {
  for (uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const float value = HalfToFloat(static_cast<uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(FloatToHalf(value), bits);
  }
}

TEST(Half, RoundsHalfToEvenAndOverflows) {
  EXPECT_EQ(FloatToHalf(1.0f + 0x1p-11f), FloatToHalf(1.0f));
  EXPECT_EQ(FloatToHalf(1.0f + 3 * 0x1p-11f), FloatToHalf(1.0f + 4 * 0x1p-11f));
  EXPECT_EQ(FloatToHalf(65519.0f), 0x7BFF);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7C00);
  EXPECT_EQ(FloatToHalf(0x1p-25f), 0);
  EXPECT_EQ(FloatToHalf(0x1.8p-25f), 1);
}

TEST(Tensor, OverStorageKeepsTheMemoryAndSharesIt) {
  const auto memory = std::make_shared<std::byte[]>(8);
  Tensor tensor = Tensor::OverStorage(DType::kInt16, {2, 2}, memory);
  EXPECT_EQ(tensor.bytes(), memory.get());
  EXPECT_EQ(tensor.numel(), 4);
  tensor.data<int16_t>()[3] = 5;
  EXPECT_EQ(memory[6], std::byte{5});
  EXPECT_NE(tensor.Clone().bytes(), memory.get());
}

TEST(DType, NamesAndRanges) {
  EXPECT_EQ(ParseDType("torch.quint8"), DType::kQUInt8);
  EXPECT_EQ(ParseDType("torch.half"), DType::kFloat16);
  EXPECT_EQ(ParseDType("torch.complex64"), std::nullopt);
  EXPECT_EQ(CodeRange(DType::kQInt8).min, -128);
  EXPECT_EQ(CodeRange(DType::kInt32).max, 2147483647);
}

TEST(Module, FindsByDottedPathAndClonesDeeply) {
  GraphModule model;
  model.SetModule("block", std::make_shared<Module>());
  auto conv = std::make_shared<Module>();
  conv->parameters.Set("weight", Tensor::FromVector<float>(DType::kFloat32, {1}, {2}));
  conv->parameters.Set("bias", std::nullopt);
  model.SetModule("block.0", conv);
  EXPECT_EQ(model.FindTensor("block.0.weight")->ValueAt(0), 2);
  EXPECT_EQ(model.FindTensor("block.0.bias"), nullptr);
  EXPECT_EQ(model.FindModule("block.1"), nullptr);
  GraphModule copy = model.Clone();
  conv->parameters.Find("weight")->value().data<float>()[0] = 7;
  EXPECT_EQ(copy.FindTensor("block.0.weight")->ValueAt(0), 2);
}

}  // namespace
}  // namespace qconform
