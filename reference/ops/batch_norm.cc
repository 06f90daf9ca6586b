// Batch and instance normalization.
#include <cmath>
#include <optional>

#include "reference/ops/axis.h"
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

struct ChannelStatistics {
  std::vector<float> mean;
  std::vector<float> inverse;  // 1 / sqrt(variance + eps)
};

// Mean and biased variance of each channel over samples and positions, in double in
// index order.
ChannelStatistics BatchStatistics(const Tensor& input, double eps, const Call& call) {
  const AxisView view = ViewAlong(input.shape(), 1);
  const int64_t count = view.outer * view.inner;
  if (count == 0) call.Fail("no elements to take statistics of");
  const ElementReader<float> reader(input);
  ChannelStatistics statistics;
  for (int64_t c = 0; c < view.size; ++c) {
    const auto total = [&](auto term) {
      double sum = 0.0;
      for (int64_t n = 0; n < view.outer; ++n) {
        const float* x = reader.data() + (n * view.size + c) * view.inner;
        for (int64_t i = 0; i < view.inner; ++i) sum += term(double(x[i]));
      }
      return sum / static_cast<double>(count);
    };
    const double mean = total([](double x) { return x; });
    const double variance = total([mean](double x) { return (x - mean) * (x - mean); });
    statistics.mean.push_back(static_cast<float>(mean));
    statistics.inverse.push_back(static_cast<float>(1.0 / std::sqrt(variance + eps)));
  }
  return statistics;
}

// torch.nn.functional.batch_norm; running statistics are read, never updated.
Value BatchNorm(const Call& call) {
  const Tensor& input = ChannelInput(call, 2);
  const int64_t channels = input.dim(1);
  const Tensor* running_mean = call.OptionalTensor(1, "running_mean");
  const Tensor* running_variance = call.OptionalTensor(2, "running_var");
  const bool has_statistics = running_mean != nullptr && running_variance != nullptr;
  if (call.Boolean(5, "training", false) && has_statistics) {
    call.Fail("batch norm in training would update its running statistics",
              "evaluation mode");
  }
  call.Ignore(6, "momentum");
  const double eps = call.Real(7, "eps", 1e-5);
  ChannelStatistics statistics;
  if (has_statistics) {
    statistics.mean = PerChannel(call, 1, "running_mean", channels, 0.0f);
    for (float variance : PerChannel(call, 2, "running_var", channels, 1.0f)) {
      statistics.inverse.push_back(1.0f / std::sqrt(variance + static_cast<float>(eps)));
    }
  } else {
    statistics = BatchStatistics(input, eps, call);
  }
  std::vector<float> alpha = PerChannel(call, 3, "weight", channels, 1.0f);
  std::vector<float> beta = PerChannel(call, 4, "bias", channels, 0.0f);
  for (size_t c = 0; c < alpha.size(); ++c) {
    alpha[c] = alpha[c] * statistics.inverse[c];
    beta[c] = static_cast<float>(double(beta[c]) -
                                 double(statistics.mean[c]) * double(alpha[c]));
  }
  return Affine(input, alpha, beta);
}

// Statistics of each (sample, channel) plane in double: mean, then mean square of the
// distances from it, both in index order.
Value InstanceNorm(const Call& call) {
  const Tensor& input = ChannelInput(call, 3);
  const int64_t channels = input.dim(1);
  if (!call.Boolean(5, "use_input_stats", true)) {
    call.Fail("use_input_stats=False is not supported");
  }
  call.Ignore(1, "running_mean");
  call.Ignore(2, "running_var");
  call.Ignore(6, "momentum");
  const double eps = call.Real(7, "eps", 1e-5);
  const std::vector<float> weight = PerChannel(call, 3, "weight", channels, 1.0f);
  const std::vector<float> bias = PerChannel(call, 4, "bias", channels, 0.0f);
  const AxisView view = ViewAlong(input.shape(), 1);
  const ElementReader<float> reader(input);
  const float* data = reader.data();
  return MakeTensor<float>(input.dtype(), input.shape(), [&](float* out) {
#pragma omp parallel for if (input.numel() >= kParallelElements)
    for (int64_t row = 0; row < view.outer * view.size; ++row) {
      const float* x = data + row * view.inner;
      double sum = 0.0;
      for (int64_t i = 0; i < view.inner; ++i) sum += x[i];
      const double mean = sum / static_cast<double>(view.inner);
      double squares = 0.0;
      for (int64_t i = 0; i < view.inner; ++i) squares += (x[i] - mean) * (x[i] - mean);
      const double variance = squares / static_cast<double>(view.inner);
      const size_t channel = static_cast<size_t>(row % view.size);
      const double scale = weight[channel] / std::sqrt(variance + eps);
      for (int64_t i = 0; i < view.inner; ++i) {
        out[row * view.inner + i] =
            static_cast<float>((x[i] - mean) * scale + bias[channel]);
      }
    }
  });
}

// A module without running statistics, or in training, normalizes by the input's own.
Value InstanceNormModule(Module& module, const Call& call) {
  if (module.FindTensor("running_mean") != nullptr) {
    call.Fail("instance norm with running statistics is not supported",
              "track_running_stats=False");
  }
  const Call full = ModuleCall(module, call, {"weight", "bias", "momentum", "eps"});
  Value value = InstanceNorm(full);
  full.CheckAllRead();
  return value;
}

}  // namespace

void AddBatchNorm(Registry& registry) {
  AddNnFunction(registry, "batch_norm", BatchNorm);
  AddNnFunction(registry, "instance_norm", InstanceNorm);
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    AddModuleAsFunction(
        registry, std::string("torch.nn.BatchNorm") + dimensions, BatchNorm,
        {"running_mean", "running_var", "weight", "bias", "training", "momentum", "eps"});
    registry.AddModule(std::string("torch.nn.InstanceNorm") + dimensions,
                       InstanceNormModule);
  }
}

}  // namespace qconform
