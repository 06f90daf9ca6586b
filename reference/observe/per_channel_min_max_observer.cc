#include "reference/observe/per_channel_min_max_observer.h"

#include <cmath>

#include "reference/ir/error.h"
#include "reference/numerics/float32_values.h"
#include "reference/observe/finite_values.h"

namespace qconform {
namespace {

ObserverArguments& Checked(ObserverArguments& arguments) {
  RequirePerChannel(arguments);
  RefuseDynamic(arguments);
  arguments.Ignore("ch_axis");
  return arguments;
}

}  // namespace

PerChannelMinMaxObserver::PerChannelMinMaxObserver(ObserverArguments& arguments)
    : UniformObserver(Checked(arguments), QScheme::kPerChannelAffine) {
  ch_axis = static_cast<int>(arguments.TakeInteger("ch_axis").value_or(0));
  RefuseReducedSymmetricQUInt8(*this);
}

void PerChannelMinMaxObserver::Observe(const Tensor& x) {
  if (x.numel() == 0) return;
  if (x.rank() < (mode == Mode::kStrict ? 1 : 2)) {
    throw PipelineError("IndexError", class_name + " cannot observe the shape " +
                                          ShapeText(x.shape()) + ", expected at least " +
                                          (mode == Mode::kStrict ? "one" : "two") +
                                          " dimensions");
  }
  const int axis = ch_axis < 0 ? ch_axis + x.rank() : ch_axis;
  const auto channels =
      axis < x.rank() && axis >= 0 ? static_cast<size_t>(x.dim(axis)) : 0;
  const ChannelLayout layout = ChannelLayout::Of(x.shape(), axis, channels);
  if (!min_values_.empty() && min_values_.size() != channels) {
    throw PipelineError("RuntimeError",
                        class_name + " observed " + std::to_string(min_values_.size()) +
                            " channels before and now " + std::to_string(channels));
  }
  const Tensor real = AsFloat32(x);
  ChannelRanges seen = mode == Mode::kStrict
                           ? FiniteChannelMinMax(real, layout, non_finite_count_)
                           : ChannelMinMax(real, layout);
  if (min_values_.empty()) {
    min_values_ = std::move(seen.min);
    max_values_ = std::move(seen.max);
  } else {
    Merge(seen.min, seen.max);
  }
}

void PerChannelMinMaxObserver::Merge(const std::vector<float>& min_values,
                                     const std::vector<float>& max_values) {
  for (size_t c = 0; c < min_values.size(); ++c) {
    if (min_values[c] < min_values_[c] || std::isnan(min_values[c])) {
      min_values_[c] = min_values[c];
    }
    if (max_values[c] > max_values_[c] || std::isnan(max_values[c])) {
      max_values_[c] = max_values[c];
    }
  }
}

Qparams PerChannelMinMaxObserver::CalculateQparams() const {
  return QparamsOf(min_values_, max_values_, false);
}

OrderedMap<Tensor> PerChannelMinMaxObserver::Buffers() const {
  OrderedMap<Tensor> buffers = EpsBuffer();
  const auto n = static_cast<int64_t>(min_values_.size());
  buffers.Set("min_val", Tensor::FromVector(DType::kFloat32, {n}, min_values_));
  buffers.Set("max_val", Tensor::FromVector(DType::kFloat32, {n}, max_values_));
  return buffers;
}

bool PerChannelMinMaxObserver::SetBuffer(const std::string& name, const Tensor& value) {
  if (name != "min_val" && name != "max_val") {
    return UniformObserver::SetBuffer(name, value);
  }
  // Any number of channels: nothing may have been observed here yet.
  const Tensor real = AsFloat32(value);
  (name == "min_val" ? min_values_ : max_values_)
      .assign(real.data<float>(), real.data<float>() + real.numel());
  return true;
}

void PerChannelMinMaxObserver::ResetMinMaxValues() {
  min_values_.clear();
  max_values_.clear();
}

}  // namespace qconform
