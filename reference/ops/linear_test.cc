#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.linear(P([2, 2, 3], 1), P([5, 3], 2), P([5], 3))
TEST(Linear, WithBias) {
  ExpectTensor(CallByName("torch.nn.functional.linear",
                          {Pattern({2, 2, 3}, 1), Pattern({5, 3}, 2), Pattern({5}, 3)}),
               {2, 2, 5}, {-3.359375f, -1.84375f,  2.640625f, 1.0f,       -2.015625f,
                           -2.390625f, -1.828125f, 2.546875f, -0.515625f, -4.625f,
                           4.09375f,   -0.296875f, -1.0625f,  5.609375f,  -1.859375f,
                           -1.84375f,  3.96875f,   -0.625f,   0.90625f,   3.5f});
}

// torch.nn.functional.linear(P([9, 2], 1), P([2, 2], 2))
TEST(Linear, ManyColumns) {
  ExpectTensor(
      CallByName("torch.nn.functional.linear", {Pattern({9, 2}, 1), Pattern({2, 2}, 2)}),
      {9, 2},
      {-1.359375f, 0.265625f, 4.5f, -1.3125f, -1.875f, 0.546875f, 4.5f, -1.3125f,
       -1.265625f, 0.5f, 4.5f, -1.3125f, -1.265625f, 0.5f, 3.984375f, -1.03125f,
       -1.265625f, 0.5f});
}

// torch.matmul(P([2, 1, 2, 3], 1), P([2, 3, 2], 2))
TEST(Matmul, BatchesBroadcast) {
  ExpectTensor(
      CallByName("torch.matmul", {Pattern({2, 1, 2, 3}, 1), Pattern({2, 3, 2}, 2)}),
      {2, 2, 2, 2},
      {0.6875f, -1.953125f, -0.96875f, 1.34375f, -0.3125f, 1.328125f, 0.03125f, -1.28125f,
       2.5625f, -1.609375f, -2.28125f, 2.21875f, -2.15625f, -2.703125f, 2.4375f,
       2.65625f});
}

// torch.matmul(P([3], 1), P([3, 2], 2))
TEST(Matmul, VectorByMatrix) {
  ExpectTensor(CallByName("torch.matmul", {Pattern({3}, 1), Pattern({3, 2}, 2)}), {2},
               {0.6875f, -1.953125f});
}

// operator.matmul(P([2, 3], 1), P([3], 2))
TEST(Matmul, MatrixByVector) {
  ExpectTensor(CallByName("operator.matmul", {Pattern({2, 3}, 1), Pattern({3}, 2)}), {2},
               {-2.484375f, -1.515625f});
}

// torch.addmm(P([2], 1), P([2, 3], 2), P([3, 2], 3), beta=2.0, alpha=0.5)
TEST(Matmul, Addmm) {
  ExpectTensor(
      CallByName("torch.addmm", {Pattern({2}, 1), Pattern({2, 3}, 2), Pattern({3, 2}, 3)},
                 {{"beta", 2.0}, {"alpha", 0.5}}),
      {2, 2}, {-1.34375f, -0.171875f, 0.8984375f, 2.125f});
}

}  // namespace
}  // namespace qconform
