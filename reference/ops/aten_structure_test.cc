// Beside reference/exported/program_outputs_test.cc, which runs these in programs: what
// no program there asks of them.
#include <gtest/gtest.h>

#include "reference/ir/expect_error.h"
#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

Tensor Numbers(Shape shape) {
  Tensor tensor(DType::kFloat32, std::move(shape));
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.data<float>()[i] = static_cast<float>(i);
  }
  return tensor;
}

// torch.arange(6.)[-4:4], [1:100:2], [5:2]
TEST(AtenStructure, SlicesAreCutToTheAxis) {
  const Tensor x = Numbers({6});
  ExpectTensor(CallByName("aten.slice.Tensor", {x, 0, -4, 4}), {2}, {2, 3});
  ExpectTensor(CallByName("aten.slice.Tensor", {x, 0, 1, int64_t{1} << 62, 2}), {3},
               {1, 3, 5});
  ExpectTensor(CallByName("aten.slice.Tensor", {x, 0, 5, 2}), {0}, {});
  EXPECT_NE(ErrorOf([&] {
              CallByName("aten.slice.Tensor", {x, 0, 0, 6, 0});
            }).find("step 0"),
            std::string::npos);
}

TEST(AtenStructure, MadeTensorsHaveTorchsDTypes) {
  const auto dtype = [](const Value& value) { return value.As<Tensor>()->dtype(); };
  EXPECT_EQ(dtype(CallByName("aten.arange.default", {3})), DType::kInt64);
  EXPECT_EQ(dtype(CallByName("aten.full.default", {List({2}), 1.5})), DType::kFloat32);
  EXPECT_EQ(dtype(CallByName("aten.full.default", {List({2}), 3})), DType::kInt64);
  EXPECT_EQ(
      dtype(CallByName("aten.zeros.default", {List({2})},
                       {{"dtype", Value(DType::kInt32)}, {"pin_memory", Value(false)}})),
      DType::kInt32);
}

// The first row of a causal attention sees the first key alone: softmax gives it 1.
TEST(AtenStructure, CausalAttentionLooksBackOnly) {
  const Tensor q = Pattern({1, 3, 2}, 1);
  const Tensor v = Pattern({1, 3, 2}, 2);
  const Value out = CallByName("aten.scaled_dot_product_attention.default",
                               {q, q, v, Value(), 0.0, true});
  EXPECT_EQ(out.As<Tensor>()->ValueAt(0), v.ValueAt(0));
  EXPECT_EQ(out.As<Tensor>()->ValueAt(1), v.ValueAt(1));
}

// A boolean mask that allows one key gives that key's value.
TEST(AtenStructure, MaskedAttentionTakesWhatIsAllowed) {
  const Tensor q = Pattern({1, 2, 2}, 1);
  const Tensor v = Pattern({1, 2, 2}, 2);
  Tensor mask(DType::kBool, {2, 2});
  mask.data<uint8_t>()[1] = 1;
  mask.data<uint8_t>()[2] = 1;
  const Value out =
      CallByName("aten.scaled_dot_product_attention.default", {q, q, v, mask});
  EXPECT_EQ(out.As<Tensor>()->ValueAt(0), v.ValueAt(2));
  EXPECT_EQ(out.As<Tensor>()->ValueAt(2), v.ValueAt(0));
  EXPECT_NE(
      ErrorOf([&] {
        CallByName("aten.scaled_dot_product_attention.default", {q, q, v, Value(), 0.5});
      }).find("dropout"),
      std::string::npos);
}

}  // namespace
}  // namespace qconform
