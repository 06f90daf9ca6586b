#include "reference/observe/histogram_observer.h"

#include <algorithm>
#include <cmath>

#include "reference/ir/error.h"
#include "reference/numerics/cascade_sum.h"
#include "reference/numerics/float32_values.h"
#include "reference/observe/histogram.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

ObserverArguments& Checked(ObserverArguments& arguments) {
  RequirePerTensor(arguments);
  RefuseDynamic(arguments);
  arguments.Ignore("bins");
  return arguments;
}

// 2^bits; quint4x2 and quint2x4 count as the 8-bit storage that they have in torch.
int64_t CodeCount(DType dtype) {
  if (IsFloatingDType(dtype)) {
    throw PipelineError("TypeError", "a histogram needs an integer dtype, got " +
                                         std::string(DTypeName(dtype)));
  }
  return int64_t{1} << (8 * ItemSize(dtype));
}

std::vector<float> FiniteOrNaN(std::span<const float> values) {
  std::vector<float> kept;
  std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
               [](float x) { return !std::isinf(x); });
  return kept;
}

}  // namespace

HistogramObserver::HistogramObserver(ObserverArguments& arguments)
    : UniformObserver(Checked(arguments), QScheme::kPerTensorAffine),
      bins_(arguments.TakeInteger("bins").value_or(2048)),
      code_count_(CodeCount(dtype)) {
  // torch forgets to refuse it here as its other observers do.
  if (mode == Mode::kStrict) RefuseReducedSymmetricQUInt8(*this);
}

void HistogramObserver::Observe(const Tensor& x) {
  Tensor real = Observable(x);
  if (real.numel() == 0) return;
  ValueRange batch = MinMax(real);
  if (batch.min == -kInfinity || batch.max == kInfinity) {
    const std::vector<float> kept =
        FiniteOrNaN({real.data<float>(), static_cast<size_t>(real.numel())});
    non_finite_count_ += real.numel() - static_cast<int64_t>(kept.size());
    if (kept.empty()) return;
    real = Tensor::FromVector(DType::kFloat32, {static_cast<int64_t>(kept.size())}, kept);
    batch = MinMax(real);
  }
  if (!IsFloatingDType(x.dtype())) {
    // torch.histc has no kernel for them; the first range is set before it is asked.
    if (IsUninitialized()) {
      min_value_ = batch.min;
      max_value_ = batch.max;
      histogram_.assign(static_cast<size_t>(bins_), 0.0f);
    }
    throw PipelineError("NotImplementedError",
                        "no histogram of " + std::string(DTypeName(x.dtype())));
  }
  const std::span<const float> values(real.data<float>(),
                                      static_cast<size_t>(real.numel()));
  if (min_value_ == kInfinity || max_value_ == -kInfinity) {
    min_value_ = batch.min;
    max_value_ = batch.max;
    histogram_ = CountHistogram(values, bins_, min_value_, max_value_);
    return;
  }
  const bool has_nan = std::isnan(batch.min);
  const float new_min = has_nan ? batch.min : std::min(min_value_, batch.min);
  const float new_max = has_nan ? batch.max : std::max(max_value_, batch.max);
  std::vector<float> counts = CountHistogram(values, bins_, new_min, new_max);
  const std::vector<float> old = Moved(new_min, new_max);
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += old[i];
  histogram_ = std::move(counts);
  min_value_ = new_min;
  max_value_ = new_max;
}

std::vector<float> HistogramObserver::Moved(float new_min, float new_max) const {
  if (new_min == min_value_ && new_max == max_value_) return histogram_;
  if (min_value_ == max_value_) {
    // All that was seen was one value: it goes where that value falls now.
    std::vector<float> moved = CountHistogram({&min_value_, 1}, bins_, new_min, new_max);
    const float total = SumRow(histogram_.data(), bins_);
    for (float& count : moved) count *= total;
    return moved;
  }
  return WidenHistogram(histogram_, min_value_, max_value_, new_min, new_max);
}

bool HistogramObserver::IsUninitialized() const {
  return min_value_ == kInfinity && max_value_ == -kInfinity;
}

ClippedRange HistogramObserver::Search() const {
  return SearchRange(histogram_, min_value_, max_value_, code_count_);
}

Qparams HistogramObserver::CalculateQparams() const {
  if (IsUninitialized()) return QparamsOf({}, {}, true);
  const ClippedRange range = Search();
  return QparamsOf({range.min}, {range.max}, true);
}

OrderedMap<Tensor> HistogramObserver::Buffers() const {
  OrderedMap<Tensor> buffers = EpsBuffer();
  buffers.Set("histogram", histogram_.empty() ? Tensor(DType::kFloat32, {bins_})
                                              : Tensor::FromVector(DType::kFloat32,
                                                                   {bins_}, histogram_));
  buffers.Set("min_val", Tensor::FromVector<float>(DType::kFloat32, {}, {min_value_}));
  buffers.Set("max_val", Tensor::FromVector<float>(DType::kFloat32, {}, {max_value_}));
  return buffers;
}

bool HistogramObserver::SetBuffer(const std::string& name, const Tensor& value) {
  if (name == "min_val") {
    min_value_ = SingleValue(name, value);
  } else if (name == "max_val") {
    max_value_ = SingleValue(name, value);
  } else if (name == "histogram") {
    if (value.numel() != bins()) {
      throw InputError(name, "shape " + ShapeText(value.shape()), ShapeText({bins()}));
    }
    const Tensor real = AsFloat32(value);
    histogram_.assign(real.data<float>(), real.data<float>() + real.numel());
  } else {
    return UniformObserver::SetBuffer(name, value);
  }
  return true;
}

}  // namespace qconform
