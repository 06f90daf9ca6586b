#include "reference/observe/moving_average_per_channel_min_max_observer.h"

#include <cmath>
#include <limits>

#include "reference/observe/averaging_constant.h"

namespace qconform {
namespace {

ObserverArguments& Checked(ObserverArguments& arguments) {
  arguments.Ignore("averaging_constant");
  return arguments;
}

}  // namespace

MovingAveragePerChannelMinMaxObserver::MovingAveragePerChannelMinMaxObserver(
    ObserverArguments& arguments)
    : PerChannelMinMaxObserver(Checked(arguments)),
      averaging_constant_(TakeAveragingConstant(arguments)) {}

void MovingAveragePerChannelMinMaxObserver::Merge(const std::vector<float>& min_values,
                                                  const std::vector<float>& max_values) {
  const bool strict = mode == Mode::kStrict;
  const auto average = fused_ || strict ? MovingAverageOrFirst : MovingAverage;
  for (size_t c = 0; c < min_values.size(); ++c) {
    // Only in strict mode a channel may have had no value to show.
    if (strict && std::isinf(min_values[c])) continue;
    min_values_[c] = average(min_values_[c], min_values[c], averaging_constant_);
    max_values_[c] = average(max_values_[c], max_values[c], averaging_constant_);
  }
}

void MovingAveragePerChannelMinMaxObserver::ObserveFused(const Tensor& x, bool observe) {
  if (min_values_.empty()) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto channels = static_cast<size_t>(x.dim(ch_axis));
    min_values_.assign(channels, kInfinity);
    max_values_.assign(channels, -kInfinity);
  }
  if (!observe) return;
  fused_ = true;
  Observe(x);
  fused_ = false;
}

}  // namespace qconform
