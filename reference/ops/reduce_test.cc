#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// mean(P([2, 3], 1))
TEST(Reduce, MeanOfAll) {
  ExpectTensor(CallByName("mean", {Pattern({2, 3}, 1)}), {}, {0.0625f});
}

// mean(P([2, 2, 4, 4], 1), [2, 3], True)
TEST(Reduce, MeanTwoAxesKept) {
  ExpectTensor(CallByName("mean", {Pattern({2, 2, 4, 4}, 1), List({2, 3}), true}),
               {2, 2, 1, 1}, {-0.046875f, -0.3515625f, 0.0703125f, 0.0078125f});
}

// torch.sum(P([2, 3, 2], 1), 1)
TEST(Reduce, SumOfAMiddleAxis) {
  ExpectTensor(CallByName("torch.sum", {Pattern({2, 3, 2}, 1), 1}), {2, 2},
               {0.625f, -0.25f, 2.375f, -2.75f});
}

// torch.sum(P([2, 3, 2], 1), [0, 2])
TEST(Reduce, SumOfAxesApart) {
  ExpectTensor(CallByName("torch.sum", {Pattern({2, 3, 2}, 1), List({0, 2})}), {3},
               {0.375f, -0.375f, 0.0f});
}

// torch.amax(P([2, 5], 1), 1)
TEST(Reduce, Amax) {
  ExpectTensor(CallByName("torch.amax", {Pattern({2, 5}, 1), 1}), {2}, {1.5f, 1.5f});
}

}  // namespace
}  // namespace qconform
