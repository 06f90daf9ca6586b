// Exponential average of each batch's minimum and maximum.
// (torch.ao.quantization.observer.MovingAverageMinMaxObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_MIN_MAX_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_MIN_MAX_OBSERVER_H_

#include <memory>

#include "reference/observe/min_max_observer.h"

namespace qconform {

class MovingAverageMinMaxObserver : public MinMaxObserver {
 public:
  // Dynamic only with an averaging constant of 1.
  explicit MovingAverageMinMaxObserver(ObserverArguments& arguments);

  // The first batch is copied; then m += constant * (batch - m), in float32.
  void Observe(const Tensor& x) override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<MovingAverageMinMaxObserver>(*this);
  }

  // As the fused training operator updates: each end that is still infinite takes the
  // batch's. (torch.fused_moving_avg_obs_fake_quant)
  void ObserveFused(const Tensor& x);

  double averaging_constant() const { return averaging_constant_; }

 private:
  double averaging_constant_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_MOVING_AVERAGE_MIN_MAX_OBSERVER_H_
