// Layer, group and instance normalization by the input's own statistics.
#include <optional>

#include "reference/numerics/row_normalization.h"
#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

template <typename Parameter>
Tensor NormalizeRows(const Tensor& input, int64_t width, const Tensor* weight,
                     const Tensor* bias, double eps, Parameter parameter) {
  const ElementReader<float> reader(input);
  std::optional<ElementReader<float>> weight_reader;
  std::optional<ElementReader<float>> bias_reader;
  RowNormalization norm{width == 0 ? 0 : input.numel() / width, width,
                        static_cast<float>(eps)};
  if (weight != nullptr) norm.gamma = weight_reader.emplace(*weight).data();
  if (bias != nullptr) norm.beta = bias_reader.emplace(*bias).data();
  return MakeTensor<float>(input.dtype(), input.shape(),
                           [&](float* out) { norm.Run(reader.data(), out, parameter); });
}

const Tensor& FloatInput(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  if (ArithmeticTypeOf(input.dtype()) != ArithmeticType::kFloat) {
    call.Fail("input is " + ValueText(input), "float32, float16 or bfloat16");
  }
  return input;
}

const Tensor* Parameter(const Call& call, size_t position, const char* keyword,
                        const Shape& shape) {
  const Tensor* tensor = call.OptionalTensor(position, keyword);
  if (tensor != nullptr &&
      (tensor->shape() != shape || IsQuantizedDType(tensor->dtype()))) {
    call.Fail(std::string(keyword) + " is " + ValueText(*tensor),
              "shape " + ShapeText(shape));
  }
  return tensor;
}

Value LayerNorm(const Call& call) {
  const Tensor& input = FloatInput(call);
  const Shape normalized = call.Integers(1, "normalized_shape");
  if (normalized.empty() || normalized.size() > input.shape().size() ||
      !std::equal(normalized.rbegin(), normalized.rend(), input.shape().rbegin())) {
    call.Fail("normalized_shape " + ShapeText(normalized) + " of input " +
                  ShapeText(input.shape()),
              "its last axes");
  }
  const Tensor* weight = Parameter(call, 2, "weight", normalized);
  const Tensor* bias = Parameter(call, 3, "bias", normalized);
  return NormalizeRows(input, NumElements(normalized), weight, bias,
                       call.Real(4, "eps", 1e-5), [](int64_t, int64_t i) { return i; });
}

// weight and bias at `position` and after it.
Tensor NormalizeGroups(const Call& call, const Tensor& input, int64_t groups,
                       size_t position, double eps) {
  const int64_t channels = input.dim(1);
  const Tensor* weight = Parameter(call, position, "weight", {channels});
  const Tensor* bias = Parameter(call, position + 1, "bias", {channels});
  const int64_t plane = NumElements({input.shape().begin() + 2, input.shape().end()});
  const int64_t group_channels = groups == 0 ? 0 : channels / groups;
  return NormalizeRows(
      input, group_channels * plane, weight, bias, eps,
      [=](int64_t row, int64_t i) { return row % groups * group_channels + i / plane; });
}

Value GroupNorm(const Call& call) {
  const Tensor& input = FloatInput(call);
  const int64_t groups = call.Integer(1, "num_groups");
  if (input.rank() < 2 || groups < 1 || input.dim(1) % groups != 0) {
    call.Fail(std::to_string(groups) + " groups of input " + ShapeText(input.shape()));
  }
  return NormalizeGroups(call, input, groups, 2, call.Real(4, "eps", 1e-5));
}

Value InstanceNorm(const Call& call) {
  const Tensor& input = FloatInput(call);
  if (input.rank() < 3) call.Fail("input is " + ValueText(input), "rank 3 or more");
  if (!call.Boolean(5, "use_input_stats", true)) {
    call.Fail("use_input_stats=False is not supported");
  }
  call.Ignore(1, "running_mean");
  call.Ignore(2, "running_var");
  call.Ignore(6, "momentum");
  return NormalizeGroups(call, input, input.dim(1), 3, call.Real(7, "eps", 1e-5));
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

void AddLayerNorm(Registry& registry) {
  AddNnFunction(registry, "layer_norm", LayerNorm);
  AddNnFunction(registry, "group_norm", GroupNorm);
  AddModuleAsFunction(registry, "torch.nn.LayerNorm", LayerNorm,
                      {"normalized_shape", "weight", "bias", "eps"});
  AddModuleAsFunction(registry, "torch.nn.GroupNorm", GroupNorm,
                      {"num_groups", "weight", "bias", "eps"});
  AddNnFunction(registry, "instance_norm", InstanceNorm);
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    registry.AddModule(std::string("torch.nn.InstanceNorm") + dimensions,
                       InstanceNormModule);
  }
}

}  // namespace qconform
