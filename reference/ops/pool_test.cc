#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.max_pool2d(P([1, 2, 5, 5], 1), 2, 2, 1, 2, True)
TEST(Pool, MaxPool2dPaddingDilationCeil) {
  ExpectTensor(CallByName("torch.nn.functional.max_pool2d",
                          {Pattern({1, 2, 5, 5}, 1), 2, 2, 1, 2, true}),
               {1, 2, 3, 3},
               {1.5f, 1.5f, -0.625f, 1.5f, 1.5f, 1.125f, -0.625f, 1.125f, 1.125f, -1.875f,
                -0.125f, -0.125f, -0.125f, 1.625f, 1.625f, -0.125f, 1.625f, 1.625f});
}

// torch.nn.functional.max_pool1d(P([2, 1, 6], 1), 3)
TEST(Pool, MaxPool1d) {
  ExpectTensor(CallByName("torch.nn.functional.max_pool1d", {Pattern({2, 1, 6}, 1), 3}),
               {2, 1, 2}, {1.5f, 0.625f, 1.5f, 1.5f});
}

// torch.nn.functional.avg_pool2d(P([1, 1, 4, 4], 1), 2, 2, 1)
TEST(Pool, AvgPool2dCountsPadding) {
  ExpectTensor(
      CallByName("torch.nn.functional.avg_pool2d", {Pattern({1, 1, 4, 4}, 1), 2, 2, 1}),
      {1, 1, 3, 3},
      {-0.0625f, 0.53125f, -0.375f, -0.3125f, 0.96875f, -0.75f, -0.15625f, 0.34375f,
       -0.375f});
}

// torch.nn.functional.avg_pool2d(P([1, 1, 5, 5], 1), 2, 2, 1, True, False)
TEST(Pool, AvgPool2dCeilWithoutPadding) {
  ExpectTensor(
      CallByName("torch.nn.functional.avg_pool2d",
                 {Pattern({1, 1, 5, 5}, 1), 2, 2, 1, true, false}),
      {1, 1, 3, 3},
      {-0.25f, 1.0625f, -1.0625f, 1.0625f, -0.53125f, 0.25f, -1.0625f, 0.25f, -0.90625f});
}

// torch.nn.functional.avg_pool2d(P([1, 1, 4, 4], 1), [2, 2], divisor_override=3)
TEST(Pool, AvgPool2dDivisor) {
  ExpectTensor(
      CallByName("torch.nn.functional.avg_pool2d",
                 {Pattern({1, 1, 4, 4}, 1), List({2, 2})}, {{"divisor_override", 3}}),
      {1, 1, 2, 2}, {0.125f, 0.0f, -0.25f, -0.125f});
}

// torch.nn.functional.avg_pool3d(P([1, 1, 2, 2, 3], 1), [2, 2, 2], [1, 1, 1])
TEST(Pool, AvgPool3d) {
  ExpectTensor(
      CallByName("torch.nn.functional.avg_pool3d",
                 {Pattern({1, 1, 2, 2, 3}, 1), List({2, 2, 2}), List({1, 1, 1})}),
      {1, 1, 1, 1, 2}, {0.0f, 0.0f});
}

// torch.nn.functional.adaptive_avg_pool2d(P([1, 1, 5, 4], 1), [3, 3])
TEST(Pool, AdaptiveAvgPool2dUnequal) {
  ExpectTensor(
      CallByName("torch.nn.functional.adaptive_avg_pool2d",
                 {Pattern({1, 1, 5, 4}, 1), List({3, 3})}),
      {1, 1, 3, 3},
      {0.09375f, 1.0625f, 0.0f, -0.125f, 0.875f, -0.0625f, -0.1875f, 0.6875f, -0.28125f});
}

// torch.nn.functional.adaptive_avg_pool2d(P([1, 2, 7, 7], 1), 1)
TEST(Pool, AdaptiveAvgPool2dToOneIsMean) {
  ExpectTensor(CallByName("torch.nn.functional.adaptive_avg_pool2d",
                          {Pattern({1, 2, 7, 7}, 1), 1}),
               {1, 2, 1, 1}, {-0.13520408f, -0.0076530613f});
}

// torch.nn.functional.adaptive_max_pool1d(P([1, 1, 7], 1), 3)
TEST(Pool, AdaptiveMaxPool1d) {
  ExpectTensor(
      CallByName("torch.nn.functional.adaptive_max_pool1d", {Pattern({1, 1, 7}, 1), 3}),
      {1, 1, 3}, {1.5f, 1.5f, 1.5f});
}

}  // namespace
}  // namespace qconform
