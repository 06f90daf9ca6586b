#include "reference/ops/interpreter.h"
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

// Two training steps of a batch norm module on P(shape, 1) / 3 and P(shape, 8) / 7; its
// mean starts as P([C], 2), its variance as |P([C], 6)| + 0.5, weight and bias as
// P([C], 4) and P([C], 5). torch on one thread, float32.
struct TrainedBatchNorm {
  std::shared_ptr<Module> module = std::make_shared<Module>();
  Value y;
};

TrainedBatchNorm TrainTwoSteps(const std::string& type, const Shape& shape,
                               const Argument& momentum) {
  TrainedBatchNorm trained;
  Module& norm = *trained.module;
  const int64_t channels = shape[1];
  norm.type = type;
  norm.training = true;
  norm.attributes.Set("momentum", momentum);
  norm.buffers.Set("running_mean", Pattern({channels}, 2));
  Tensor variance = Pattern({channels}, 6);
  for (int64_t c = 0; c < channels; ++c) {
    variance.data<float>()[c] = std::fabs(variance.data<float>()[c]) + 0.5f;
  }
  norm.buffers.Set("running_var", variance);
  norm.buffers.Set("num_batches_tracked", Tensor(DType::kInt64, {}));
  norm.parameters.Set("weight", Pattern({channels}, 4));
  norm.parameters.Set("bias", Pattern({channels}, 5));
  for (const auto& [seed, divisor] : {std::pair(1, 3.0f), std::pair(8, 7.0f)}) {
    Tensor x = Pattern(shape, seed);
    for (int64_t i = 0; i < x.numel(); ++i) x.data<float>()[i] /= divisor;
    trained.y = CallModule(norm, Call("test", {x}), Registry::BuiltIn());
  }
  return trained;
}

TEST(Norm, BatchNormInTrainingMovesItsStatistics) {
  const TrainedBatchNorm trained =
      TrainTwoSteps("torch.nn.BatchNorm2d", {2, 3, 2, 2}, 0.1);
  ExpectTensor(trained.y, {2, 3, 2, 2},
               {-1.64436913f,  -1.02247155f, -0.40057385f,  -2.53279448f, -2.02891588f,
                -0.217411458f, 1.05064178f,  -3.29696918f,  1.38542008f,  0.307733238f,
                -1.23181939f,  2.46310687f,  -1.91089678f,  -1.28899908f, -0.667101443f,
                -2.53279448f,  -2.02891588f, -0.760862827f, 0.507190347f, 1.77524352f,
                1.38542008f,   0.307733238f, -0.769953549f, -1.84764028f});
  ExpectTensor(**trained.module->buffers.Find("running_mean"), {3},
               {1.10810256f, -1.31912947f, -0.612455308f});
  ExpectTensor(**trained.module->buffers.Find("running_var"), {3},
               {0.521566451f, 1.23272765f, 1.94080746f});
}

// One position a sample: torch sums in float32. Without a momentum the statistics are
// the average over all batches.
TEST(Norm, BatchNormInTrainingWithoutMomentum) {
  const TrainedBatchNorm trained =
      TrainTwoSteps("torch.nn.BatchNorm1d", {5, 2}, Argument());
  ExpectTensor(trained.y, {5, 2},
               {-1.91684961f, 0.893974662f, -0.590509892f, -2.59556174f, -2.2010653f,
                0.893974662f, -0.590509892f, -2.59556174f, -2.2010653f, 0.278174102f});
  ExpectTensor(**trained.module->buffers.Find("running_mean"), {2},
               {0.0535714291f, -0.0892857164f});
  ExpectTensor(**trained.module->buffers.Find("running_var"), {2},
               {0.0804528072f, 0.0804528072f});
  EXPECT_EQ((*trained.module->buffers.Find("num_batches_tracked"))->IntegerAt(0), 2);
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
