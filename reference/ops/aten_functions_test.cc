#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// aten.batch_norm(x, weight, bias, mean, var, False, 0.1, 0., False): x * 2 * w + b here.
TEST(AtenFunctions, BatchNormTakesStatisticsBehindWeightAndBias) {
  const Tensor x = Pattern({1, 1, 2}, 0);
  const auto one = [](float value) {
    return Tensor::FromVector<float>(DType::kFloat32, {1}, {value});
  };
  const Value y =
      CallByName("aten.batch_norm.default",
                 {x, one(3), one(1), one(0), one(0.25F), false, 0.1, 0.0, false});
  for (int64_t i = 0; i < 2; ++i) {
    EXPECT_EQ(y.As<Tensor>()->ValueAt(i), x.ValueAt(i) * 6 + 1);
  }
  const Value three = CallByName("aten._native_batch_norm_legit_no_training.default",
                                 {x, one(3), one(1), one(0), one(0.25F), 0.1, 0.0});
  ASSERT_EQ(three.As<ValueSequence>()->items.size(), 3u);
  EXPECT_EQ(three.As<ValueSequence>()->items[0].As<Tensor>()->ValueAt(0),
            x.ValueAt(0) * 6 + 1);
}

// An empty list is the kernel's size.
TEST(AtenFunctions, PoolWithoutStride) {
  const Value y = CallByName("aten.max_pool2d.default",
                             {Pattern({1, 4, 4}, 0), List({2, 2}), List({})});
  EXPECT_EQ(y.As<Tensor>()->shape(), (Shape{1, 2, 2}));
}

TEST(AtenFunctions, TrailingUnderscoreWritesIntoTheFirstArgument) {
  Tensor x = Tensor::FromVector<float>(DType::kFloat32, {2}, {-1, 1});
  CallByName("aten.relu_.default", {x});
  EXPECT_EQ(x.ValueAt(0), 0);
  CallByName("aten.add_.Tensor", {x, 2});
  EXPECT_EQ(x.ValueAt(1), 3);
}

TEST(AtenFunctions, WhereAResultIsStoredHasNoMeaning) {
  const Value zeros = CallByName("aten.zeros_like.default", {Pattern({2}, 0)},
                                 {{"dtype", DType::kFloat32}, {"pin_memory", false}});
  EXPECT_EQ(zeros.As<Tensor>()->ValueAt(1), 0);
}

}  // namespace
}  // namespace qconform
