// Layer and group normalization: mean and variance in double in index order, the result
// rounded once.
#include <cmath>
#include <optional>

#include "reference/ops/broadcast.h"
#include "reference/ops/built_in.h"
#include "reference/ops/module_call.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// Normalizes rows of `width` elements; element i of a row is scaled by the affine
// parameters at parameter(row, i).
template <typename Parameter>
Tensor NormalizeRows(const Tensor& input, int64_t width, const Tensor* weight,
                     const Tensor* bias, double eps, Parameter parameter) {
  const ElementReader<float> reader(input);
  std::optional<ElementReader<float>> weight_reader;
  std::optional<ElementReader<float>> bias_reader;
  if (weight != nullptr) weight_reader.emplace(*weight);
  if (bias != nullptr) bias_reader.emplace(*bias);
  return MakeTensor<float>(input.dtype(), input.shape(), [&](float* out) {
    if (width == 0) return;
    const int64_t rows = input.numel() / width;
#pragma omp parallel for if (input.numel() >= kParallelElements)
    for (int64_t row = 0; row < rows; ++row) {
      const float* x = reader.data() + row * width;
      double sum = 0.0;
      for (int64_t i = 0; i < width; ++i) sum += x[i];
      const double mean = sum / static_cast<double>(width);
      double squares = 0.0;
      for (int64_t i = 0; i < width; ++i) squares += (x[i] - mean) * (x[i] - mean);
      const double scale = 1.0 / std::sqrt(squares / static_cast<double>(width) + eps);
      for (int64_t i = 0; i < width; ++i) {
        double y = (x[i] - mean) * scale;
        if (weight_reader) y *= weight_reader->data()[parameter(row, i)];
        if (bias_reader) y += bias_reader->data()[parameter(row, i)];
        out[row * width + i] = static_cast<float>(y);
      }
    }
  });
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

Value GroupNorm(const Call& call) {
  const Tensor& input = FloatInput(call);
  const int64_t groups = call.Integer(1, "num_groups");
  if (input.rank() < 2 || groups < 1 || input.dim(1) % groups != 0) {
    call.Fail(std::to_string(groups) + " groups of input " + ShapeText(input.shape()));
  }
  const int64_t channels = input.dim(1);
  const Tensor* weight = Parameter(call, 2, "weight", {channels});
  const Tensor* bias = Parameter(call, 3, "bias", {channels});
  const int64_t plane = NumElements({input.shape().begin() + 2, input.shape().end()});
  const int64_t group_channels = channels / groups;
  return NormalizeRows(
      input, group_channels * plane, weight, bias, call.Real(4, "eps", 1e-5),
      [=](int64_t row, int64_t i) { return row % groups * group_channels + i / plane; });
}

}  // namespace

void AddLayerNorm(Registry& registry) {
  AddNnFunction(registry, "layer_norm", LayerNorm);
  AddNnFunction(registry, "group_norm", GroupNorm);
  AddModuleAsFunction(registry, "torch.nn.LayerNorm", LayerNorm,
                      {"normalized_shape", "weight", "bias", "eps"});
  AddModuleAsFunction(registry, "torch.nn.GroupNorm", GroupNorm,
                      {"num_groups", "weight", "bias", "eps"});
}

}  // namespace qconform
