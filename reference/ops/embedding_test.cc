#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.embedding(tensor([1, 0, 3, 3], int64).reshape([2, 2]), P([4,
// 3], 1))
TEST(Embedding, Rows) {
  ExpectTensor(
      CallByName("torch.nn.functional.embedding",
                 {Tensor::FromVector<int64_t>(DType::kInt64, {2, 2}, {1, 0, 3, 3}),
                  Pattern({4, 3}, 1)}),
      {2, 2, 3},
      {-1.5f, -0.625f, 0.625f, -0.25f, 0.625f, 1.5f, 0.25f, 1.5f, -1.5f, 0.25f, 1.5f,
       -1.5f});
}

// torch.nn.functional.embedding_bag(tensor([1, 0, 3, 2], int64).reshape([4]),
// P([4, 3], 1), tensor([0, 3], int64).reshape([2]), mode='sum')
TEST(Embedding, BagSum) {
  ExpectTensor(CallByName("torch.nn.functional.embedding_bag",
                          {Tensor::FromVector<int64_t>(DType::kInt64, {4}, {1, 0, 3, 2}),
                           Pattern({4, 3}, 1),
                           Tensor::FromVector<int64_t>(DType::kInt64, {2}, {0, 3})},
                          {{"mode", "sum"}}),
               {2, 3}, {-1.5f, 1.5f, 0.625f, 1.5f, -1.5f, -0.625f});
}

// torch.nn.functional.embedding_bag(tensor([1, 0, 3, 2], int64).reshape([4]),
// P([4, 2], 1), tensor([0, 2, 2], int64).reshape([3]), mode='mean')
TEST(Embedding, BagMeanWithEmptyBag) {
  ExpectTensor(CallByName("torch.nn.functional.embedding_bag",
                          {Tensor::FromVector<int64_t>(DType::kInt64, {4}, {1, 0, 3, 2}),
                           Pattern({4, 2}, 1),
                           Tensor::FromVector<int64_t>(DType::kInt64, {3}, {0, 2, 2})},
                          {{"mode", "mean"}}),
               {3, 2}, {0.625f, -0.4375f, 0.0f, 0.0f, 0.4375f, -0.4375f});
}

// torch.nn.functional.embedding_bag(tensor([1, 0, 3, 2], int64).reshape([2, 2]),
// P([4, 3], 1), mode='max')
TEST(Embedding, BagMax) {
  ExpectTensor(
      CallByName("torch.nn.functional.embedding_bag",
                 {Tensor::FromVector<int64_t>(DType::kInt64, {2, 2}, {1, 0, 3, 2}),
                  Pattern({4, 3}, 1)},
                 {{"mode", "max"}}),
      {2, 3}, {-0.25f, 0.625f, 1.5f, 1.5f, 1.5f, -0.625f});
}

}  // namespace
}  // namespace qconform
