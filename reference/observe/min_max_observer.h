// Running minimum and maximum. (torch.ao.quantization.observer.MinMaxObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_MIN_MAX_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_MIN_MAX_OBSERVER_H_

#include <limits>
#include <memory>

#include "reference/observe/uniform_observer.h"

namespace qconform {

class MinMaxObserver : public UniformObserver {
 public:
  explicit MinMaxObserver(ObserverArguments& arguments);

  // NaN sticks; an empty x changes nothing.
  void Observe(const Tensor& x) override;
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override;
  bool SetBuffer(const std::string& name, const Tensor& value) override;
  void ResetMinMaxValues() override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<MinMaxObserver>(*this);
  }

  float min_value() const { return min_value_; }
  float max_value() const { return max_value_; }

 protected:
  float min_value_ = std::numeric_limits<float>::infinity();
  float max_value_ = -std::numeric_limits<float>::infinity();
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_MIN_MAX_OBSERVER_H_
