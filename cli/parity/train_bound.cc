#include "cli/parity/train_bound.h"

#include <algorithm>
#include <cmath>

#include "cli/parity/error_bound.h"
#include "cli/parity/error_rules.h"
#include "reference/config/module_types.h"
#include "reference/observe/fake_quantize_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/ops/interpreter.h"

namespace qconform::parity {
namespace {

constexpr const char* kBatchNorm = "torch.nn.BatchNorm";

int64_t PositionsOf(const Tensor& x) {
  int64_t inner = 1;
  for (int axis = 2; axis < x.rank(); ++axis) inner *= x.dim(axis);
  return inner;
}

double Value(const Tensor* tensor, int64_t index, double fallback) {
  return tensor == nullptr ? fallback : tensor->ValueAt(index);
}

// One channel's mean and variance with their bounds.
struct Channel {
  double mean = 0, variance = 0;
  double mean_error = 0, variance_error = 0;
};

Channel BatchStatisticsOf(const Tensor& z, const Tensor* error, int64_t c) {
  const int64_t inner = PositionsOf(z);
  double largest = 0, e = 0, deviation = 0, count = 0;
  Channel channel;
  const auto for_each = [&](const auto& visit) {
    for (int64_t n = 0; n < z.dim(0); ++n) {
      const int64_t first = (n * z.dim(1) + c) * inner;
      for (int64_t i = first; i < first + inner; ++i) visit(i);
    }
  };
  for_each([&](int64_t i) {
    channel.mean += z.ValueAt(i);
    largest = std::max(largest, std::fabs(z.ValueAt(i)));
    if (error != nullptr) e = std::max(e, error->ValueAt(i));
    ++count;
  });
  channel.mean /= count;
  for_each([&](int64_t i) {
    const double d = std::fabs(z.ValueAt(i) - channel.mean);
    deviation = std::max(deviation, d);
    channel.variance += d * d / count;
  });
  const double terms = inner == 1 ? count : 4;
  channel.mean_error = e + Gamma(terms) * largest;
  channel.variance_error =
      2 * deviation * (e + channel.mean_error) + Gamma(terms + 2) * deviation * deviation;
  return channel;
}

// `bn` is as before the forward.
Tensor BatchNormForwardError(const Module& bn, const Tensor& z, const Tensor* error,
                             TrainedError& known) {
  const Tensor* running_mean = bn.FindTensor("running_mean");
  const Tensor* running_var = bn.FindTensor("running_var");
  const Tensor* weight = bn.FindTensor("weight");
  const Tensor* bias = bn.FindTensor("bias");
  const double eps = bn.Real("eps", 1e-5);
  const int64_t inner = PositionsOf(z);
  const int64_t channels = z.dim(1);
  known.running_mean.resize(static_cast<size_t>(channels));
  known.running_var.resize(static_cast<size_t>(channels));
  double momentum = bn.Real("momentum", 0.1);
  const Argument* given = bn.attributes.Find("momentum");
  if (given != nullptr && given->IsNone()) momentum = 1;
  const bool batch = bn.training || running_mean == nullptr;
  std::vector<Channel> statistics;
  for (int64_t c = 0; c < channels; ++c) {
    double& mean_error = known.running_mean[static_cast<size_t>(c)];
    double& variance_error = known.running_var[static_cast<size_t>(c)];
    if (!batch) {
      statistics.push_back({running_mean->ValueAt(c), running_var->ValueAt(c), mean_error,
                            variance_error});
      continue;
    }
    const Channel own = BatchStatisticsOf(z, error, c);
    statistics.push_back(own);
    const double n = static_cast<double>(z.numel() / channels);
    const double size = std::fabs(own.mean) + std::fabs(Value(running_mean, c, 0));
    mean_error =
        (1 - momentum) * mean_error + momentum * own.mean_error + 4 * kUnit * size;
    variance_error = (1 - momentum) * variance_error +
                     (momentum * own.variance_error +
                      4 * kUnit * (own.variance + Value(running_var, c, 0))) *
                         n / (n - 1);
  }
  Tensor result(DType::kFloat32, z.shape());
  for (int64_t i = 0; i < z.numel(); ++i) {
    const int64_t c = i / inner % channels;
    const Channel& own = statistics[static_cast<size_t>(c)];
    const double alpha = std::fabs(Value(weight, c, 1)) / std::sqrt(own.variance + eps);
    const double e = error == nullptr ? 0 : error->ValueAt(i);
    const double distance = std::fabs(z.ValueAt(i) - own.mean);
    const double terms = alpha * (std::fabs(z.ValueAt(i)) + std::fabs(own.mean)) +
                         std::fabs(Value(bias, c, 0));
    result.data<float>()[i] =
        RoundedUp(alpha * (e + own.mean_error +
                           distance * own.variance_error / (2 * (own.variance + eps))) +
                  8 * kUnit * terms);
  }
  return result;
}

// A QAT module's weighted part with the weight that it computes with, and what that is
// known up to.
struct ScaledWeight {
  Module weighted;
  Tensor error;
  std::vector<double> factor;        // k
  std::vector<double> factor_error;  // relative
};

ScaledWeight ScaleWeight(const Module& before, TrainedError& known) {
  const Module& bn = **before.children.Find("bn");
  const double eps = bn.Real("eps", 1e-5);
  const Tensor& variance = *bn.FindTensor("running_var");
  const Tensor& gamma = *bn.FindTensor("weight");
  ScaledWeight scaled;
  Tensor weight = before.FindTensor("weight")->Clone();
  const int64_t channels = weight.dim(0);
  const int64_t row = weight.numel() / channels;
  known.running_var.resize(static_cast<size_t>(channels));
  known.weight_range.resize(static_cast<size_t>(channels));
  Tensor reach(DType::kFloat32, weight.shape());
  for (int64_t c = 0; c < channels; ++c) {
    const float deviation =
        std::sqrt(static_cast<float>(variance.ValueAt(c)) + static_cast<float>(eps));
    const float k = static_cast<float>(gamma.ValueAt(c)) / deviation;
    const double variance_error = known.running_var[static_cast<size_t>(c)];
    // torch's root is MKL's on some processors, which is good to 1 ulp only.
    const double relative =
        variance_error /
            (2 * (std::max(variance.ValueAt(c) - variance_error, 0.0) + eps)) +
        2 * kUnit;
    scaled.factor.push_back(std::fabs(k));
    scaled.factor_error.push_back(relative);
    double& range = known.weight_range[static_cast<size_t>(c)];
    for (int64_t i = c * row; i < (c + 1) * row; ++i) {
      float& w = weight.data<float>()[i];
      w *= k;
      reach.data<float>()[i] = RoundedUp(std::fabs(w) * (relative + 2 * kUnit));
      range = std::max(range, reach.ValueAt(i));
    }
  }
  scaled.weighted.type = FindModuleType(before.type)->weighted_module;
  scaled.weighted.attributes = before.attributes;
  scaled.weighted.attributes.Erase("freeze_bn");
  const std::shared_ptr<Observer> observer =
      ObserverOf(*before.Clone()->children.Find("weight_fake_quant"));
  const Tensor quantized = observer->Forward(weight);
  scaled.error = Tensor(DType::kFloat32, weight.shape());
  const auto* fake_quantize = dynamic_cast<FakeQuantizeObserver*>(observer.get());
  if (LargestError(Tensor(reach)) > 0 && fake_quantize != nullptr) {
    const Tensor& scales = fake_quantize->scale();
    const auto inner = fake_quantize->ActivationPostProcess();
    const double steps = static_cast<double>(inner->quant_max.value_or(255) -
                                             inner->quant_min.value_or(0));
    for (int64_t c = 0; c < channels; ++c) {
      // One channel at a time: each has its own step.
      const auto slice = [&](const Tensor& from) {
        Tensor part(DType::kFloat32, {row});
        std::copy_n(from.data<float>() + c * row, row, part.data<float>());
        return part;
      };
      const Tensor error =
          FakeQuantizeError(slice(weight), slice(quantized), slice(reach),
                            scales.ValueAt(scales.numel() == 1 ? 0 : c), steps);
      std::copy_n(error.data<float>(), row, scaled.error.data<float>() + c * row);
    }
  }
  scaled.weighted.parameters.Set("weight", quantized);
  scaled.weighted.parameters.Set("bias", std::nullopt);
  return scaled;
}

Tensor Run(Module module, const Tensor& weight, const Tensor& x,
           const Registry& registry) {
  module.parameters.Set("weight", weight);
  return *CallModule(module, Call("error bound", {x}), registry).As<Tensor>();
}

}  // namespace

bool HasBatchNorm(const Module& module) {
  return module.type.starts_with(kBatchNorm) ||
         (IsQatModule(module.type) && module.children.Contains("bn"));
}

bool ContainsBatchNorm(const Module& module) {
  if (!IsFusedModule(module.type) || IsQatModule(module.type)) return false;
  for (const auto& [name, child] : module.children) {
    if (child && child->type.starts_with(kBatchNorm)) return true;
  }
  return false;
}

Tensor TrainedForwardError(const Module& before, const Tensor& x, const Tensor* error,
                           const Registry& registry, TrainedError& known) {
  const auto* bn = before.children.Find("bn");
  if (bn == nullptr) {
    return BatchNormForwardError(before, x, error, known);
  }
  const ScaledWeight scaled = ScaleWeight(before, known);
  const Tensor& weight = *scaled.weighted.FindTensor("weight");
  const Tensor largest = Run(scaled.weighted, AbsoluteWithError(weight, &scaled.error),
                             AbsoluteWithError(x, error), registry);
  const Tensor plain = Run(scaled.weighted, Absolute(weight), Absolute(x), registry);
  const double terms =
      static_cast<double>(weight.numel() / std::max<int64_t>(weight.dim(0), 1)) + 2;
  Tensor z_error = GapWithRounding(largest, plain, 4 * Gamma(terms));
  Tensor z = Run(scaled.weighted, weight, x, registry);
  const Tensor* bias = before.FindTensor("bias");
  const int64_t inner = PositionsOf(z);
  // torch takes a linear's channels along the last axis, the norm's along the second.
  const bool is_linear = scaled.weighted.type == "torch.nn.Linear";
  for (int64_t i = 0; i < z.numel(); ++i) {
    const auto c =
        static_cast<size_t>(is_linear ? i % z.dim(z.rank() - 1) : i / inner % z.dim(1));
    const double sign =
        (*bn)->FindTensor("weight")->ValueAt(static_cast<int64_t>(c)) < 0 ? -1 : 1;
    const double value = sign * z.ValueAt(i) / scaled.factor[c];
    const double b = Value(bias, static_cast<int64_t>(c), 0);
    z.data<float>()[i] = static_cast<float>(value + b);
    z_error.data<float>()[i] =
        RoundedUp(z_error.ValueAt(i) / scaled.factor[c] * (1 + scaled.factor_error[c]) +
                  std::fabs(value) * (scaled.factor_error[c] + 2 * kUnit) +
                  2 * kUnit * (std::fabs(value) + std::fabs(b)));
  }
  return BatchNormForwardError(**bn, z, &z_error, known);
}

}  // namespace qconform::parity
