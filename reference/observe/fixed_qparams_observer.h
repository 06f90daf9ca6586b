// Parameters that are constants of the operator: sigmoid's 1/256, tanh's 2/256.
// (torch.ao.quantization.observer.FixedQParamsObserver)
#ifndef QCONFORM_REFERENCE_OBSERVE_FIXED_QPARAMS_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_FIXED_QPARAMS_OBSERVER_H_

#include <memory>

#include "reference/observe/observer.h"
#include "reference/observe/observer_arguments.h"

namespace qconform {

class FixedQParamsObserver : public Observer {
 public:
  // Keywords scale and zero_point are required (TypeError); the bounds are 0 and 255
  // unless given.
  explicit FixedQParamsObserver(ObserverArguments& arguments);

  void Observe(const Tensor&) override {}
  bool PassesAnyValue() const override { return true; }
  // scale float32 [1], zero_point int32 [1].
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override;
  bool SetBuffer(const std::string& name, const Tensor& value) override;
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<FixedQParamsObserver>(*this);
  }

 private:
  float scale_;
  int32_t zero_point_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_FIXED_QPARAMS_OBSERVER_H_
