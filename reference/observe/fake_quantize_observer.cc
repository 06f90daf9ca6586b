#include "reference/observe/fake_quantize_observer.h"

#include <vector>

#include "reference/ir/error.h"
#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/fake_quantize.h"
#include "reference/numerics/float32_values.h"
#include "reference/observe/fixed_qparams_observer.h"
#include "reference/observe/moving_average_min_max_observer.h"
#include "reference/observe/moving_average_per_channel_min_max_observer.h"
#include "reference/observe/uniform_observer.h"

namespace qconform {
namespace {

std::vector<double> Values(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.numel(); ++i) values.push_back(tensor.ValueAt(i));
  return values;
}

Tensor Flag(bool value) {
  return Tensor::FromVector<uint8_t>(DType::kUInt8, {1}, {uint8_t{value}});
}

}  // namespace

FakeQuantizeObserver::FakeQuantizeObserver(std::string name,
                                           std::shared_ptr<Observer> inner)
    : inner_(std::move(inner)) {
  class_name = std::move(name);
  dtype = inner_->dtype;
  qscheme = inner_->qscheme;
  quant_min = inner_->quant_min;
  quant_max = inner_->quant_max;
  reduce_range = inner_->reduce_range;
  has_customized_qrange = inner_->has_customized_qrange;
  eps = inner_->eps;
  is_dynamic = inner_->is_dynamic;
  ch_axis = inner_->ch_axis;
  torchao = inner_->torchao;
  mode = inner_->mode;
  const bool float_zero_point = qscheme == QScheme::kPerChannelAffineFloatQparams;
  scale_ = Tensor::FromVector<float>(DType::kFloat32, {1}, {1.0f});
  zero_point_ = Tensor(float_zero_point ? DType::kFloat32 : DType::kInt32, {1});
}

FakeQuantizeObserver::FakeQuantizeObserver(const FakeQuantizeObserver& other)
    : Observer(other),
      fake_quant_enabled(other.fake_quant_enabled),
      observer_enabled(other.observer_enabled),
      makes_mask(other.makes_mask),
      inner_(std::dynamic_pointer_cast<Observer>(other.inner_->Clone())),
      scale_(other.scale_.Clone()),
      zero_point_(other.zero_point_.Clone()),
      mask_(other.mask_.Clone()) {}

void FakeQuantizeObserver::SetParameters(const Qparams& qparams) {
  scale_ = qparams.scale.Clone();
  Tensor zero_point(zero_point_.dtype(), qparams.zero_point.shape());
  for (int64_t i = 0; i < zero_point.numel(); ++i) {
    const double value = qparams.zero_point.ValueAt(i);
    if (zero_point.dtype() == DType::kFloat32) {
      zero_point.data<float>()[i] = static_cast<float>(value);
    } else {
      zero_point.data<int32_t>()[i] = static_cast<int32_t>(value);
    }
  }
  zero_point_ = zero_point;
}

Tensor FakeQuantizeObserver::Quantized(const Tensor& x) {
  const Tensor real = AsFloat32(x);
  FakeQuantized result;
  if (IsPerChannel(qscheme)) {
    const bool float_zero_points = zero_point_.dtype() == DType::kFloat32;
    const int axis = ch_axis < 0 ? ch_axis + x.rank() : ch_axis;
    result = FakeQuantizePerChannel(real, Values(scale_), Values(zero_point_),
                                    float_zero_points, axis, *quant_min, *quant_max,
                                    makes_mask,
                                    /*infinities_saturate=*/mode == Mode::kStrict);
  } else {
    result =
        FakeQuantizePerTensor(real, scale_.data<float>()[0], zero_point_.IntegerAt(0),
                              *quant_min, *quant_max, makes_mask);
  }
  mask_ = result.mask;
  return result.y;
}

Tensor FakeQuantizeObserver::Forward(const Tensor& x) {
  if (observer_enabled) {
    inner_->Observe(x);
    SetParameters(CalculateQparams());
  }
  return fake_quant_enabled ? Quantized(x) : x;
}

OrderedMap<Tensor> FakeQuantizeObserver::Buffers() const {
  OrderedMap<Tensor> buffers = {{"fake_quant_enabled", Flag(fake_quant_enabled)},
                                {"observer_enabled", Flag(observer_enabled)},
                                {"scale", scale_},
                                {"zero_point", zero_point_}};
  for (const auto& [name, tensor] : inner_->Buffers()) {
    buffers.Set("activation_post_process." + name, tensor);
  }
  return buffers;
}

bool FakeQuantizeObserver::SetBuffer(const std::string& name, const Tensor& value) {
  constexpr std::string_view kInner = "activation_post_process.";
  if (name.starts_with(kInner)) {
    return inner_->SetBuffer(name.substr(kInner.size()), value);
  }
  if (name == "fake_quant_enabled") {
    fake_quant_enabled = SingleValue(name, value) != 0;
  } else if (name == "observer_enabled") {
    observer_enabled = SingleValue(name, value) != 0;
  } else if (name == "scale") {
    scale_ = value.Clone();
  } else if (name == "zero_point") {
    SetParameters({scale_, value});
  } else {
    return false;
  }
  return true;
}

FusedMovingAverageFakeQuantize::FusedMovingAverageFakeQuantize(
    std::string name, std::shared_ptr<Observer> inner)
    : FakeQuantizeObserver(std::move(name), std::move(inner)) {
  if (dynamic_cast<MovingAverageMinMaxObserver*>(inner_.get()) == nullptr &&
      dynamic_cast<MovingAveragePerChannelMinMaxObserver*>(inner_.get()) == nullptr) {
    throw PipelineError("AssertionError",
                        class_name + " works with moving-average observers only, got " +
                            inner_->class_name);
  }
}

Tensor FusedMovingAverageFakeQuantize::Forward(const Tensor& x) {
  // It is documented to take the attributes of FakeQuantize, eps and qscheme among them,
  // and as computing what convert computes.
  if (mode == Mode::kStrict) return FakeQuantizeObserver::Forward(x);
  std::vector<float> min_values;
  std::vector<float> max_values;
  if (auto* per_channel =
          dynamic_cast<MovingAveragePerChannelMinMaxObserver*>(inner_.get())) {
    if (ch_axis != 0) {
      throw PipelineError("RuntimeError", class_name + " works on channel axis 0 only");
    }
    per_channel->ObserveFused(x, observer_enabled);
    min_values = per_channel->min_values();
    max_values = per_channel->max_values();
  } else {
    auto& per_tensor = static_cast<MovingAverageMinMaxObserver&>(*inner_);
    if (observer_enabled) per_tensor.ObserveFused(x);
    min_values = {per_tensor.min_value()};
    max_values = {per_tensor.max_value()};
  }
  if (!fake_quant_enabled) return x;
  std::vector<float> scales;
  std::vector<int32_t> zero_points;
  for (size_t i = 0; i < min_values.size(); ++i) {
    const ChosenQparams chosen = ChooseQuantizationParams(
        min_values[i], max_values[i], static_cast<int32_t>(*quant_min),
        static_cast<int32_t>(*quant_max), IsSymmetric(qscheme));
    scales.push_back(static_cast<float>(chosen.scale));
    zero_points.push_back(static_cast<int32_t>(chosen.zero_point));
  }
  const auto n = static_cast<int64_t>(scales.size());
  SetParameters({Tensor::FromVector(DType::kFloat32, {n}, scales),
                 Tensor::FromVector(DType::kInt32, {n}, zero_points)});
  return Quantized(x);
}

FixedQParamsFakeQuantize::FixedQParamsFakeQuantize(std::string name,
                                                   std::shared_ptr<Observer> inner)
    : FakeQuantizeObserver(std::move(name), std::move(inner)) {
  if (dynamic_cast<FixedQParamsObserver*>(inner_.get()) == nullptr) {
    throw PipelineError("AssertionError",
                        class_name + "'s observer must be a FixedQParamsObserver, got " +
                            inner_->class_name);
  }
  SetParameters(CalculateQparams());
}

}  // namespace qconform
