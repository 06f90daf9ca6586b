// Exponential average of each channel's minimum and maximum.
// (torch.ao.quantization.observer.MovingAveragePerChannelMinMaxObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_PER_CHANNEL_MIN_MAX_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_PER_CHANNEL_MIN_MAX_OBSERVER_H_

#include <memory>

#include "reference/observe/per_channel_min_max_observer.h"

namespace qconform {

class MovingAveragePerChannelMinMaxObserver : public PerChannelMinMaxObserver {
 public:
  explicit MovingAveragePerChannelMinMaxObserver(ObserverArguments& arguments);

  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<MovingAveragePerChannelMinMaxObserver>(*this);
  }

  // As the fused training operator updates: each end that is still infinite takes the
  // batch's. Without `observe` it only sets the number of channels.
  // (torch.fused_moving_avg_obs_fake_quant)
  void ObserveFused(const Tensor& x, bool observe);

  double averaging_constant() const { return averaging_constant_; }

 protected:
  void Merge(const std::vector<float>& min_values,
             const std::vector<float>& max_values) override;

 private:
  double averaging_constant_;
  bool fused_ = false;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_PER_CHANNEL_MIN_MAX_OBSERVER_H_
