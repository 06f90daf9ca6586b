// Batch normalization.
#include <cmath>
#include <optional>

#include "reference/ops/axis.h"
#include "reference/ops/batch_statistics.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// y = x * alpha[c] + beta[c], each product-sum rounded once (torch's kernels use fused
// multiply-adds): the product of two floats is exact in double.
Tensor Affine(const Tensor& input, const std::vector<float>& alpha,
              const std::vector<float>& beta) {
  const AxisView view = ViewAlong(input.shape(), 1);
  const ElementReader<float> reader(input);
  const float* data = reader.data();
  return MakeTensor<float>(input.dtype(), input.shape(), [&](float* out) {
#pragma omp parallel for if (input.numel() >= kParallelElements)
    for (int64_t row = 0; row < view.outer * view.size; ++row) {
      const double a = alpha[static_cast<size_t>(row % view.size)];
      const double b = beta[static_cast<size_t>(row % view.size)];
      const int64_t first = row * view.inner;
      for (int64_t i = first; i < first + view.inner; ++i) {
        out[i] = static_cast<float>(double(data[i]) * a + b);
      }
    }
  });
}

// A parameter of one value a channel, or `fallback` for all of them.
std::vector<float> PerChannel(const Call& call, size_t position, const char* keyword,
                              int64_t channels, float fallback) {
  const Tensor* tensor = call.OptionalTensor(position, keyword);
  if (tensor == nullptr) {
    return std::vector<float>(static_cast<size_t>(channels), fallback);
  }
  if (tensor->shape() != Shape{channels} || IsQuantizedDType(tensor->dtype())) {
    call.Fail(std::string(keyword) + " is " + ValueText(*tensor),
              "shape " + ShapeText({channels}));
  }
  return ReadElements<float>(*tensor);
}

const Tensor& ChannelInput(const Call& call, int least_rank) {
  const Tensor& input = PlainTensor(call, 0, "input");
  if (input.rank() < least_rank ||
      ArithmeticTypeOf(input.dtype()) != ArithmeticType::kFloat) {
    call.Fail("input is " + ValueText(input),
              "a float tensor of rank " + std::to_string(least_rank) + " or more");
  }
  return input;
}

// The batch's own statistics move the running ones, if there are any.
BatchStatistics TrainingStatistics(const Call& call, const Tensor& input,
                                   double momentum) {
  if (input.numel() == 0) call.Fail("no elements to take statistics of");
  BatchStatistics batch = TakeBatchStatistics(input);
  if (batch.count < 2) {
    call.Fail("one value a channel in training", "more than one");
  }
  const Tensor* running_mean = call.OptionalTensor(1, "running_mean");
  const Tensor* running_variance = call.OptionalTensor(2, "running_var");
  if (running_mean != nullptr && running_variance != nullptr) {
    if (running_mean->dtype() != DType::kFloat32 ||
        running_variance->dtype() != DType::kFloat32) {
      call.Fail("running statistics are no float32 tensors");
    }
    // Copies share storage, so this is in place.
    Tensor mean = *running_mean;
    Tensor variance = *running_variance;
    MoveRunningStatistics(batch, momentum, mean, variance);
  }
  return batch;
}

// torch.nn.functional.batch_norm; in training it changes the running statistics.
Value BatchNorm(const Call& call) {
  const Tensor& input = ChannelInput(call, 2);
  const int64_t channels = input.dim(1);
  const bool training = call.Boolean(5, "training", false);
  const double momentum = call.Real(6, "momentum", 0.1);
  const double eps = call.Real(7, "eps", 1e-5);
  std::vector<float> mean = PerChannel(call, 1, "running_mean", channels, 0.0f);
  const std::vector<float> variance = PerChannel(call, 2, "running_var", channels, 1.0f);
  std::vector<float> inverse;
  if (training || call.OptionalTensor(1, "running_mean") == nullptr) {
    BatchStatistics batch = TrainingStatistics(call, input, momentum);
    inverse = batch.InverseDeviation(eps);
    mean = std::move(batch.mean);
  } else {
    for (const float v : variance) {
      inverse.push_back(1.0f / std::sqrt(v + static_cast<float>(eps)));
    }
  }
  std::vector<float> alpha = PerChannel(call, 3, "weight", channels, 1.0f);
  std::vector<float> beta = PerChannel(call, 4, "bias", channels, 0.0f);
  for (size_t c = 0; c < alpha.size(); ++c) {
    alpha[c] = alpha[c] * inverse[c];
    beta[c] = static_cast<float>(double(beta[c]) - double(mean[c]) * double(alpha[c]));
  }
  return Affine(input, alpha, beta);
}

// A module in training counts its batches; without a momentum it averages over them
// all.
Value BatchNormModule(Module& module, const Call& call) {
  OrderedMap<Value> kwargs = {{"training", module.training},
                              {"eps", module.Real("eps", 1e-5)}};
  for (const char* name : {"running_mean", "running_var", "weight", "bias"}) {
    if (const Tensor* tensor = module.FindTensor(name)) kwargs.Set(name, *tensor);
  }
  double momentum = module.Real("momentum", 0.1);
  auto* batches = module.buffers.Find("num_batches_tracked");
  if (module.training && batches != nullptr && *batches) {
    const int64_t count = ++(*batches)->data<int64_t>()[0];
    const Argument* given = module.attributes.Find("momentum");
    if (given != nullptr && given->IsNone()) momentum = 1 / static_cast<double>(count);
  }
  kwargs.Set("momentum", momentum);
  const Call full(call.where(), {call.Get(0, "input")}, std::move(kwargs));
  Value value = BatchNorm(full);
  full.CheckAllRead();
  return value;
}

}  // namespace

void AddBatchNorm(Registry& registry) {
  AddNnFunction(registry, "batch_norm", BatchNorm);
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    registry.AddModule(std::string("torch.nn.BatchNorm") + dimensions, BatchNormModule);
  }
}

}  // namespace qconform
