#include "reference/fuse/fold_batch_norm.h"

#include <cmath>
#include <vector>

#include "reference/ir/error.h"
#include "reference/numerics/fixed_chunks.h"

namespace qconform {
namespace {

template <typename T>
struct BatchNormValues {
  std::vector<T> mean, reciprocal, gamma, beta;
};

template <typename T>
std::vector<T> ValuesOf(const Tensor& tensor) {
  return {tensor.data<T>(), tensor.data<T>() + tensor.numel()};
}

const Tensor& Same(const Tensor& tensor, DType dtype) {
  if (tensor.dtype() != dtype) {
    throw PipelineError("RuntimeError",
                        "batch norm folding of mixed dtypes is not supported: " +
                            std::string(DTypeName(tensor.dtype())) + " and " +
                            std::string(DTypeName(dtype)));
  }
  return tensor;
}

template <typename T>
BatchNormValues<T> Read(const Module& batch_norm, DType dtype) {
  const Tensor& mean = Same(*batch_norm.FindTensor("running_mean"), dtype);
  const Tensor& variance = Same(*batch_norm.FindTensor("running_var"), dtype);
  const size_t channels = static_cast<size_t>(mean.numel());
  BatchNormValues<T> values;
  values.mean = ValuesOf<T>(mean);
  values.reciprocal = ValuesOf<T>(variance);
  const T eps = static_cast<T>(batch_norm.Real("eps", 1e-5));
  for (T& value : values.reciprocal) value = T{1} / std::sqrt(value + eps);
  const Tensor* gamma = batch_norm.FindTensor("weight");
  const Tensor* beta = batch_norm.FindTensor("bias");
  values.gamma = gamma != nullptr ? ValuesOf<T>(Same(*gamma, dtype))
                                  : std::vector<T>(channels, T{1});
  values.beta =
      beta != nullptr ? ValuesOf<T>(Same(*beta, dtype)) : std::vector<T>(channels, T{0});
  if (values.reciprocal.size() != channels || values.gamma.size() != channels ||
      values.beta.size() != channels) {
    throw PipelineError("RuntimeError", "the tensors of a batch norm differ in size");
  }
  return values;
}

void CheckModes(const Module& layer, const Module& batch_norm) {
  if (layer.training || batch_norm.training) {
    throw PipelineError("AssertionError", "Fusion only for eval!");
  }
}

void CheckStatistics(const Module& batch_norm) {
  if (batch_norm.FindTensor("running_mean") == nullptr ||
      batch_norm.FindTensor("running_var") == nullptr) {
    throw PipelineError("AssertionError",
                        "bn.running_mean and bn.running_var must not be None");
  }
}

PipelineError SizeMismatch(int64_t weight, int64_t channels, int axis) {
  return {"RuntimeError", "The size of the weight (" + std::to_string(weight) +
                              ") must match the size of the batch norm (" +
                              std::to_string(channels) + ") at dimension " +
                              std::to_string(axis)};
}

// weight * factor, the factor standing along `axis`; one of the two may have size 1
// there, as torch broadcasts.
template <typename T>
Tensor ScaleWeight(const Tensor& weight, const std::vector<T>& factor, int axis) {
  const int64_t channels = static_cast<int64_t>(factor.size());
  const int64_t size = weight.dim(axis);
  if (size != channels && size != 1 && channels != 1) {
    throw SizeMismatch(size, channels, axis);
  }
  Shape shape = weight.shape();
  const int64_t result_size = std::max(size, channels);
  shape[static_cast<size_t>(axis)] = result_size;
  int64_t outer = 1;
  for (int i = 0; i < axis; ++i) outer *= weight.dim(i);
  int64_t inner = 1;
  for (int i = axis + 1; i < weight.rank(); ++i) inner *= weight.dim(i);
  Tensor result = Tensor::Uninitialized(weight.dtype(), shape);
  const T* from = weight.data<T>();
  T* to = result.data<T>();
  ForEachIndex(outer * result_size, result.numel(), [&](int64_t run) {
    const int64_t c = run % result_size;
    const T scale = factor[static_cast<size_t>(channels == 1 ? 0 : c)];
    const T* row = from + (run / result_size * size + (size == 1 ? 0 : c)) * inner;
    T* scaled = to + run * inner;
#pragma omp simd
    for (int64_t i = 0; i < inner; ++i) scaled[i] = row[i] * scale;
  });
  return result;
}

// A transposed convolution's output channel is group * (out / groups) + the index
// along dimension 1; the group follows from the input channel.
template <typename T>
Tensor ScaleGroupedTransposed(const Tensor& weight, const std::vector<T>& factor,
                              int64_t groups) {
  const int64_t inputs = weight.dim(0);
  const int64_t outputs = weight.dim(1);
  if (groups <= 0 || inputs % groups != 0 ||
      outputs * groups != static_cast<int64_t>(factor.size())) {
    throw SizeMismatch(outputs * groups, static_cast<int64_t>(factor.size()), 1);
  }
  const int64_t inner = inputs * outputs == 0 ? 0 : weight.numel() / (inputs * outputs);
  Tensor result = weight.Clone();
  T* value = result.data<T>();
  for (int64_t i = 0; i < inputs; ++i) {
    const int64_t group = i / (inputs / groups);
    for (int64_t o = 0; o < outputs; ++o) {
      const T scale = factor[static_cast<size_t>(group * outputs + o)];
      for (int64_t k = 0; k < inner; ++k) *value++ *= scale;
    }
  }
  return result;
}

// The two biases differ in where the multiplication by gamma stands.
enum class BiasOrder { kConv, kLinear };

template <typename T>
Tensor FoldBias(const Tensor* bias, const BatchNormValues<T>& bn, DType dtype,
                BiasOrder order) {
  const size_t channels = bn.mean.size();
  const std::vector<T> values =
      bias != nullptr ? ValuesOf<T>(Same(*bias, dtype)) : std::vector<T>(channels, T{0});
  if (values.size() != channels && values.size() != 1 && channels != 1) {
    throw SizeMismatch(static_cast<int64_t>(values.size()),
                       static_cast<int64_t>(channels), 0);
  }
  const size_t size = std::max(values.size(), channels);
  Tensor result(dtype, {static_cast<int64_t>(size)});
  T* to = result.data<T>();
  for (size_t i = 0; i < size; ++i) {
    const size_t c = channels == 1 ? 0 : i;
    const T centered = values[values.size() == 1 ? 0 : i] - bn.mean[c];
    const T scaled = order == BiasOrder::kConv
                         ? centered * bn.reciprocal[c] * bn.gamma[c]
                         : centered * (bn.gamma[c] * bn.reciprocal[c]);
    to[i] = scaled + bn.beta[c];
  }
  return result;
}

enum class Layout { kOutputFirst, kTransposed, kGroupedTransposed };

template <typename T>
std::shared_ptr<Module> Fold(const Module& layer, const Module& batch_norm, DType dtype,
                             Layout layout, BiasOrder order) {
  const Tensor& weight = *layer.FindTensor("weight");
  const BatchNormValues<T> bn = Read<T>(batch_norm, dtype);
  std::vector<T> factor(bn.gamma.size());
  for (size_t i = 0; i < factor.size(); ++i) factor[i] = bn.gamma[i] * bn.reciprocal[i];
  std::shared_ptr<Module> folded = layer.CloneSharingParameters();
  folded->parameters.Set(
      "weight", layout == Layout::kGroupedTransposed
                    ? ScaleGroupedTransposed(weight, factor, layer.Integer("groups", 1))
                    : ScaleWeight(weight, factor, layout == Layout::kTransposed ? 1 : 0));
  folded->parameters.Set("bias", FoldBias(layer.FindTensor("bias"), bn, dtype, order));
  return folded;
}

std::shared_ptr<Module> Dispatch(const Module& layer, const Module& batch_norm,
                                 Layout layout, BiasOrder order) {
  const Tensor* weight = layer.FindTensor("weight");
  const int least_rank = order == BiasOrder::kLinear ? 2 : 3;
  if (weight == nullptr || weight->rank() < least_rank) {
    throw PipelineError("AttributeError", layer.type + " has no weight to fold into");
  }
  switch (weight->dtype()) {
    case DType::kFloat32:
      return Fold<float>(layer, batch_norm, DType::kFloat32, layout, order);
    case DType::kFloat64:
      return Fold<double>(layer, batch_norm, DType::kFloat64, layout, order);
    default:
      throw InputError(layer.type,
                       "its weight is " + std::string(DTypeName(weight->dtype())),
                       "float32 or float64 to fold a batch norm into");
  }
}

}  // namespace

std::shared_ptr<Module> FoldConvBatchNorm(const Module& conv, const Module& batch_norm,
                                          bool is_transposed, Mode mode) {
  CheckModes(conv, batch_norm);
  CheckStatistics(batch_norm);
  Layout layout = is_transposed ? Layout::kTransposed : Layout::kOutputFirst;
  if (is_transposed && mode == Mode::kStrict) layout = Layout::kGroupedTransposed;
  return Dispatch(conv, batch_norm, layout, BiasOrder::kConv);
}

std::shared_ptr<Module> FoldLinearBatchNorm(const Module& linear,
                                            const Module& batch_norm, Mode mode) {
  CheckModes(linear, batch_norm);
  const int64_t features = linear.Integer("out_features", 0);
  const int64_t channels = batch_norm.Integer("num_features", 0);
  if (features != channels && channels != 1) {
    throw PipelineError("AssertionError",
                        "To fuse, linear.out_features == bn.num_features or "
                        "bn.num_features == 1, got " +
                            std::to_string(features) + " and " +
                            std::to_string(channels));
  }
  CheckStatistics(batch_norm);
  if (mode == Mode::kTorch && (batch_norm.FindTensor("weight") == nullptr ||
                               batch_norm.FindTensor("bias") == nullptr)) {
    throw PipelineError("TypeError",
                        "batch norm without affine parameters after a linear layer");
  }
  return Dispatch(linear, batch_norm, Layout::kOutputFirst, BiasOrder::kLinear);
}

}  // namespace qconform
