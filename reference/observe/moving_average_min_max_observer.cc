#include "reference/observe/moving_average_min_max_observer.h"

#include "reference/ir/error.h"
#include "reference/numerics/float32_values.h"
#include "reference/observe/averaging_constant.h"

namespace qconform {
namespace {

ObserverArguments& Checked(ObserverArguments& arguments) {
  RequirePerTensor(arguments);
  const double constant = TakeAveragingConstant(arguments);
  if (constant != 1) RefuseDynamic(arguments);
  return arguments;
}

}  // namespace

MovingAverageMinMaxObserver::MovingAverageMinMaxObserver(ObserverArguments& arguments)
    : MinMaxObserver(Checked(arguments)),
      averaging_constant_(TakeAveragingConstant(arguments)) {}

void MovingAverageMinMaxObserver::Observe(const Tensor& x) {
  const Tensor real = Observable(x);
  if (real.numel() == 0) return;
  const ValueRange batch = MinMax(real);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (min_value_ == kInfinity && max_value_ == -kInfinity) {
    min_value_ = batch.min;
    max_value_ = batch.max;
    return;
  }
  min_value_ = MovingAverage(min_value_, batch.min, averaging_constant_);
  max_value_ = MovingAverage(max_value_, batch.max, averaging_constant_);
}

void MovingAverageMinMaxObserver::ObserveFused(const Tensor& x) {
  const ValueRange batch = MinMax(AsFloat32(x));
  min_value_ = MovingAverageOrFirst(min_value_, batch.min, averaging_constant_);
  max_value_ = MovingAverageOrFirst(max_value_, batch.max, averaging_constant_);
}

}  // namespace qconform
