#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// operator.add(P([2, 1, 3], 1), P([2, 1], 2))
TEST(Arithmetic, AddBroadcasts) {
  ExpectTensor(CallByName("operator.add", {Pattern({2, 1, 3}, 1), Pattern({2, 1}, 2)}),
               {2, 2, 3},
               {1.125f, 2.0f, 2.875f, -1.875f, -1.0f, -0.125f, -0.125f, 0.75f, 2.0f,
                -3.125f, -2.25f, -1.0f});
}

// torch.add(P([4], 1), P([4], 2), alpha=0.5)
TEST(Arithmetic, AddScaled) {
  ExpectTensor(
      CallByName("torch.add", {Pattern({4}, 1), Pattern({4}, 2)}, {{"alpha", 0.5}}), {4},
      {0.4375f, -0.1875f, 1.125f, -1.4375f});
}

// operator.sub(2, P([4], 1))
TEST(Arithmetic, SubFromNumber) {
  ExpectTensor(CallByName("operator.sub", {2, Pattern({4}, 1)}), {4},
               {2.25f, 1.375f, 0.5f, 3.5f});
}

// operator.mul(P([4], 1), 0.5)
TEST(Arithmetic, MulByFloat) {
  ExpectTensor(CallByName("operator.mul", {Pattern({4}, 1), 0.5}), {4},
               {-0.125f, 0.3125f, 0.75f, -0.75f});
}

// operator.truediv(P([4], 1), 3)
TEST(Arithmetic, DivideByNumber) {
  ExpectTensor(CallByName("operator.truediv", {Pattern({4}, 1), 3}), {4},
               {-0.083333336f, 0.20833333f, 0.5f, -0.5f});
}

// operator.floordiv(P([6], 1), 0.75)
TEST(Arithmetic, FloorDivide) {
  ExpectTensor(CallByName("operator.floordiv", {Pattern({6}, 1), 0.75}), {6},
               {-1.0f, 0.0f, 2.0f, -2.0f, -1.0f, 0.0f});
}

// torch.remainder(P([6], 1), 0.75)
TEST(Arithmetic, Remainder) {
  ExpectTensor(CallByName("torch.remainder", {Pattern({6}, 1), 0.75}), {6},
               {0.5f, 0.625f, 0.0f, -0.0f, 0.125f, 0.625f});
}

// operator.truediv(tensor([7, -7, 0], int64).reshape([3]), 2)
TEST(Arithmetic, IntegersBecomeFloat) {
  ExpectTensor(
      CallByName("operator.truediv",
                 {Tensor::FromVector<int64_t>(DType::kInt64, {3}, {7, -7, 0}), 2}),
      {3}, {3.5f, -3.5f, 0.0f});
}

// operator.floordiv(tensor([7, -7, -8, 0], int64).reshape([4]), 2)
TEST(Arithmetic, FloorDivideIntegers) {
  ExpectTensor(
      CallByName("operator.floordiv",
                 {Tensor::FromVector<int64_t>(DType::kInt64, {4}, {7, -7, -8, 0}), 2}),
      {4}, {3.0f, -4.0f, -4.0f, 0.0f});
}

// torch.pow(P([5], 1), 2)
TEST(Arithmetic, Square) {
  ExpectTensor(CallByName("torch.pow", {Pattern({5}, 1), 2}), {5},
               {0.0625f, 0.390625f, 2.25f, 2.25f, 0.390625f});
}

// torch.maximum(P([4], 1), P([4], 2))
TEST(Arithmetic, Maximum) {
  ExpectTensor(CallByName("torch.maximum", {Pattern({4}, 1), Pattern({4}, 2)}), {4},
               {1.375f, 0.625f, 1.5f, 0.125f});
}

// torch.where(tensor([1, 0, 0, 1], bool).reshape([4]), P([4], 1), P([4], 2))
TEST(Arithmetic, Where) {
  ExpectTensor(CallByName("torch.where",
                          {Tensor::FromVector<uint8_t>(DType::kBool, {4}, {1, 0, 0, 1}),
                           Pattern({4}, 1), Pattern({4}, 2)}),
               {4}, {-0.25f, -1.625f, -0.75f, -1.5f});
}

// masked_fill(P([2, 2], 1), tensor([1, 0], bool).reshape([2]), -1.5)
TEST(Arithmetic, MaskedFill) {
  ExpectTensor(CallByName("masked_fill",
                          {Pattern({2, 2}, 1),
                           Tensor::FromVector<uint8_t>(DType::kBool, {2}, {1, 0}), -1.5}),
               {2, 2}, {-1.5f, 0.625f, -1.5f, -1.5f});
}

// torch.exp(P([5], 1)), float64
TEST(Arithmetic, Exp) {
  ExpectTensor(CallByName("torch.exp", {Pattern({5}, 1)}), {5},
               {0.7788008f, 1.868246f, 4.481689f, 0.22313017f, 0.53526145f});
}

// torch.rsqrt(tensor([0.5, 1.25, 2.0], float32).reshape([3])), float64
TEST(Arithmetic, Rsqrt) {
  ExpectTensor(CallByName("torch.rsqrt", {Tensor::FromVector<float>(
                                             DType::kFloat32, {3}, {0.5f, 1.25f, 2.0f})}),
               {3}, {1.4142135f, 0.8944272f, 0.70710677f});
}

// 3.5 / torch.tensor([3., 7., -9.]): a reciprocal, rounded, times 3.5
TEST(Arithmetic, ANumberOverATensorRoundsTwice) {
  const Tensor x = Tensor::FromVector<float>(DType::kFloat32, {3}, {3.0f, 7.0f, -9.0f});
  ExpectTensor(CallByName("operator.truediv", {3.5, x}), {3},
               {1.0f / 3.0f * 3.5f, 1.0f / 7.0f * 3.5f, 1.0f / -9.0f * 3.5f});
}

}  // namespace
}  // namespace qconform
