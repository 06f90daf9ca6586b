#include "reference/observe/uniform_observer.h"

#include <cmath>
#include <limits>

#include "reference/ir/error.h"
#include "reference/numerics/float32_values.h"
#include "reference/numerics/qparams_from_range.h"
#include "reference/observe/finite_values.h"
#include "reference/observe/quant_range.h"

namespace qconform {
namespace {

// As before the first value.
bool IsUntouched(float min, float max) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  return min == kInfinity && max == -kInfinity;
}

bool NothingObserved(const std::vector<float>& min_values,
                     const std::vector<float>& max_values, bool scalar) {
  if (min_values.empty() || max_values.empty()) return true;
  return scalar && IsUntouched(min_values[0], max_values[0]);
}

Tensor ZeroPoints(const std::vector<double>& values, QScheme qscheme) {
  const auto n = static_cast<int64_t>(values.size());
  if (qscheme == QScheme::kPerChannelAffineFloatQparams) {
    return Tensor::FromVector<float>(DType::kFloat32, {n},
                                     {values.begin(), values.end()});
  }
  if (IsSymmetric(qscheme)) {
    return Tensor::FromVector<int64_t>(DType::kInt64, {n},
                                       {values.begin(), values.end()});
  }
  return Tensor::FromVector<int32_t>(DType::kInt32, {n}, {values.begin(), values.end()});
}

}  // namespace

UniformObserver::UniformObserver(ObserverArguments& arguments, QScheme default_qscheme) {
  class_name = arguments.class_name();
  dtype = arguments.TakeDType("dtype", DType::kQUInt8);
  qscheme = arguments.TakeQScheme("qscheme", default_qscheme);
  reduce_range = arguments.TakeBoolean("reduce_range", false);
  is_dynamic = arguments.TakeBoolean("is_dynamic", false);
  eps = static_cast<float>(arguments.TakeReal("eps").value_or(0x1p-23));
  const std::optional<int64_t> given_min = arguments.TakeInteger("quant_min");
  const std::optional<int64_t> given_max = arguments.TakeInteger("quant_max");
  arguments.Ignore("factory_kwargs");
  arguments.RejectOthers();
  if (!IsObservedDType(dtype)) {
    throw PipelineError("AssertionError", class_name + " does not work for dtype " +
                                              std::string(DTypeName(dtype)));
  }
  mode = arguments.mode();
  const QuantRange range =
      CalculateQuantRange(given_min, given_max, dtype, reduce_range, mode);
  quant_min = range.min;
  quant_max = range.max;
  has_customized_qrange = range.customized;
}

Qparams UniformObserver::QparamsOf(const std::vector<float>& min_values,
                                   const std::vector<float>& max_values,
                                   bool scalar) const {
  const RangeRule rule{.dtype = dtype,
                       .qscheme = qscheme,
                       .quant_min = *quant_min,
                       .quant_max = *quant_max,
                       .has_customized_qrange = has_customized_qrange,
                       .eps = eps,
                       .overflowing_range_is_infinite = mode == Mode::kTorch};
  if (NothingObserved(min_values, max_values, scalar)) {
    if (mode == Mode::kStrict && non_finite_count_ > 0) RefuseNothingFinite();
    const bool shifted = mode == Mode::kStrict && IsSymmetric(qscheme);
    return {Tensor::FromVector<float>(DType::kFloat32, {1}, {1.0f}),
            Tensor::FromVector<int64_t>(DType::kInt64, {1},
                                        {shifted ? SymmetricZeroPoint(rule) : 0})};
  }
  std::vector<float> scales;
  std::vector<double> zero_points;
  for (size_t i = 0; i < min_values.size(); ++i) {
    if (mode == Mode::kStrict && IsUntouched(min_values[i], max_values[i])) {
      RefuseNothingFinite();
    }
    const bool unordered = std::isnan(min_values[i]) || std::isnan(max_values[i]);
    if (min_values[i] > max_values[i] || (torchao && unordered)) {
      throw PipelineError("AssertionError", "min " + std::to_string(min_values[i]) +
                                                " should be less than max " +
                                                std::to_string(max_values[i]));
    }
    const RangeQparams qparams = QparamsFromRange(min_values[i], max_values[i], rule);
    scales.push_back(qparams.scale);
    zero_points.push_back(qparams.zero_point);
  }
  const auto n = static_cast<int64_t>(scales.size());
  return {Tensor::FromVector(DType::kFloat32, {n}, scales),
          ZeroPoints(zero_points, qscheme)};
}

void UniformObserver::RefuseNothingFinite() const {
  throw PipelineError("ValueError",
                      class_name + " saw " + std::to_string(non_finite_count_) +
                          " elements that are NaN or infinite, and no finite one" +
                          (ch_axis < 0 ? "" : " in one of its channels"));
}

Tensor UniformObserver::Observable(const Tensor& x) {
  const Tensor real = AsFloat32(x);
  return mode == Mode::kStrict ? FiniteValues(real, non_finite_count_) : real;
}

OrderedMap<Tensor> UniformObserver::EpsBuffer() const {
  return {{"eps", Tensor::FromVector<float>(DType::kFloat32, {1}, {eps})}};
}

bool UniformObserver::SetBuffer(const std::string& name, const Tensor& value) {
  if (name != "eps") return false;
  eps = SingleValue(name, value);
  return true;
}

float SingleValue(const std::string& name, const Tensor& value) {
  if (value.numel() != 1) {
    throw InputError(name, "shape " + ShapeText(value.shape()), "one element");
  }
  return static_cast<float>(value.ValueAt(0));
}

void RequirePerTensor(ObserverArguments& arguments) {
  if (!IsPerChannel(arguments.TakeQScheme("qscheme", QScheme::kPerTensorAffine))) return;
  throw PipelineError("NotImplementedError",
                      arguments.class_name() + " supports per tensor qschemes only");
}

void RequirePerChannel(ObserverArguments& arguments) {
  if (IsPerChannel(arguments.TakeQScheme("qscheme", QScheme::kPerChannelAffine))) return;
  throw PipelineError("NotImplementedError",
                      arguments.class_name() + " supports per channel qschemes only");
}

void RefuseDynamic(ObserverArguments& arguments) {
  if (!arguments.TakeBoolean("is_dynamic", false)) return;
  throw PipelineError("NotImplementedError",
                      arguments.class_name() + " does not support dynamic quantization");
}

void RefuseReducedSymmetricQUInt8(const Observer& observer) {
  if (IsSymmetric(observer.qscheme) && observer.reduce_range &&
      observer.dtype == DType::kQUInt8) {
    throw PipelineError("NotImplementedError",
                        "cannot reduce the range of a symmetric quint8 quantization");
  }
}

}  // namespace qconform
