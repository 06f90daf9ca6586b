#include "reference/observe/min_max_observer.h"

#include <cmath>

#include "reference/numerics/float32_values.h"

namespace qconform {
namespace {

ObserverArguments& Checked(ObserverArguments& arguments) {
  RequirePerTensor(arguments);
  return arguments;
}

}  // namespace

MinMaxObserver::MinMaxObserver(ObserverArguments& arguments)
    : UniformObserver(Checked(arguments), QScheme::kPerTensorAffine) {
  RefuseReducedSymmetricQUInt8(*this);
}

void MinMaxObserver::Observe(const Tensor& x) {
  const Tensor real = Observable(x);
  if (real.numel() == 0) return;
  const ValueRange seen = MinMax(real);
  // The comparisons are false for a NaN that was kept; a new one is taken.
  if (seen.min < min_value_ || std::isnan(seen.min)) min_value_ = seen.min;
  if (seen.max > max_value_ || std::isnan(seen.max)) max_value_ = seen.max;
}

Qparams MinMaxObserver::CalculateQparams() const {
  return QparamsOf({min_value_}, {max_value_}, true);
}

OrderedMap<Tensor> MinMaxObserver::Buffers() const {
  OrderedMap<Tensor> buffers = EpsBuffer();
  buffers.Set("min_val", Tensor::FromVector<float>(DType::kFloat32, {}, {min_value_}));
  buffers.Set("max_val", Tensor::FromVector<float>(DType::kFloat32, {}, {max_value_}));
  return buffers;
}

bool MinMaxObserver::SetBuffer(const std::string& name, const Tensor& value) {
  if (name == "min_val") {
    min_value_ = SingleValue(name, value);
  } else if (name == "max_val") {
    max_value_ = SingleValue(name, value);
  } else {
    return UniformObserver::SetBuffer(name, value);
  }
  return true;
}

void MinMaxObserver::ResetMinMaxValues() {
  min_value_ = std::numeric_limits<float>::infinity();
  max_value_ = -std::numeric_limits<float>::infinity();
}

}  // namespace qconform
