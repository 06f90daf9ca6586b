#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

// torch.nn.functional.batch_norm(P([2, 3, 2, 2], 1), P([3], 2), tensor([0.5, 1.25,
// 2.0], float32).reshape([3]), P([3], 4), P([3], 5), eps=0.001)
TEST(Norm, BatchNorm2d) {
  ExpectTensor(
      CallByName("torch.nn.functional.batch_norm",
                 {Pattern({2, 3, 2, 2}, 1), Pattern({3}, 2),
                  Tensor::FromVector<float>(DType::kFloat32, {3}, {0.5f, 1.25f, 2.0f}),
                  Pattern({3}, 4), Pattern({3}, 5)},
                 {{"eps", 0.001}}),
      {2, 3, 2, 2},
      {-3.2218516f, -2.2947006f,  -1.3675498f, -4.546353f,  0.8278631f,  2.6439419f,
       3.9151971f,  -0.4433921f,  0.12849641f, -0.7220289f, -1.937065f,  0.97902167f,
       -3.6192021f, -2.6920512f,  -1.7649002f, -4.546353f,  0.8278631f,  2.0991182f,
       3.3703735f,  -0.98821574f, 0.12849641f, -0.7220289f, -1.5725542f, 1.3435326f});
}

// torch.nn.functional.batch_norm(P([2, 3], 1), P([3], 2), tensor([0.5, 1.25, 2.0],
// float32).reshape([3]))
TEST(Norm, BatchNormWithoutAffine) {
  ExpectTensor(
      CallByName("torch.nn.functional.batch_norm",
                 {Pattern({2, 3}, 1), Pattern({3}, 2),
                  Tensor::FromVector<float>(DType::kFloat32, {3}, {0.5f, 1.25f, 2.0f})}),
      {2, 3}, {-2.2980738f, 2.012453f, 1.5909863f, -4.065823f, 0.8944236f, 0.97226936f});
}

// torch.nn.functional.batch_norm(P([2, 2, 4], 1), None, None, training=True)
TEST(Norm, BatchNormOverTheBatch) {
  ExpectTensor(
      CallByName("torch.nn.functional.batch_norm",
                 {Pattern({2, 2, 4}, 1), Value(), Value()}, {{"training", true}}),
      {2, 2, 4},
      {-0.22466147f, 0.5616537f, 1.3479688f, -1.3479688f, -0.4959388f, 0.67097604f,
       1.4878165f, -1.3127792f, -0.5616537f, 0.22466147f, 1.3479688f, -1.3479688f,
       -0.4959388f, 0.32090157f, 1.137742f, -1.3127792f});
}

// torch.nn.functional.layer_norm(P([2, 6], 1), [6], P([6], 2), P([6], 3), 1e-05),
// float64
TEST(Norm, LayerNorm) {
  ExpectTensor(
      CallByName(
          "torch.nn.functional.layer_norm",
          {Pattern({2, 6}, 1), List({6}), Pattern({6}, 2), Pattern({6}, 3), 1e-05}),
      {2, 6},
      {-1.3154254f, -0.93690497f, -0.23006737f, 1.5498066f, -1.9546807f, -0.93690497f,
       0.83875334f, 1.8633173f, 1.2115189f, 1.7811592f, -0.0036339252f, 1.8633173f});
}

// torch.nn.functional.layer_norm(P([2, 2, 3], 1), [2, 3]), float64
TEST(Norm, LayerNormTwoAxes) {
  ExpectTensor(
      CallByName("torch.nn.functional.layer_norm", {Pattern({2, 2, 3}, 1), List({2, 3})}),
      {2, 2, 3},
      {-0.32030937f, 0.57655686f, 1.4734231f, -1.6015469f, -0.7046806f, 0.57655686f,
       1.246366f, -1.1466568f, -0.4486918f, 0.24927321f, 1.246366f, -1.1466568f});
}

// torch.nn.functional.group_norm(P([1, 4, 3], 1), 2, P([4], 2), P([4], 3)),
// float64
TEST(Norm, GroupNorm) {
  ExpectTensor(
      CallByName("torch.nn.functional.group_norm",
                 {Pattern({1, 4, 3}, 1), 2, Pattern({4}, 2), Pattern({4}, 3)}),
      {1, 4, 3},
      {-1.3154254f, -0.08223428f, 1.1509569f, 2.6025138f, 1.1451061f, -0.93690497f,
       -0.059774555f, 1.7349926f, 1.2115189f, 1.7811592f, 1.9057958f, 1.6066679f});
}

// torch.nn.functional.instance_norm(P([1, 2, 5], 1)), float64
TEST(Norm, InstanceNorm) {
  ExpectTensor(CallByName("torch.nn.functional.instance_norm", {Pattern({1, 2, 5}, 1)}),
               {1, 2, 5},
               {-0.1936861f, 0.6536906f, 1.5010672f, -1.4042242f, -0.5568475f, 0.5568475f,
                1.4042242f, -1.5010672f, -0.6536906f, 0.1936861f});
}

}  // namespace
}  // namespace qconform
