// Observers that see nothing and only carry a configuration: PlaceholderObserver,
// NoopObserver, ReuseInputObserver. (torch.ao.quantization.observer)
#ifndef QCONFORM_REFERENCE_OBSERVE_PLACEHOLDER_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_PLACEHOLDER_OBSERVER_H_

#include <memory>

#include "reference/observe/observer.h"
#include "reference/observe/observer_arguments.h"

namespace qconform {

// Keeps nothing. CalculateQparams throws PipelineError("Exception").
class BlindObserver : public Observer {
 public:
  void Observe(const Tensor&) override {}
  bool PassesAnyValue() const override { return true; }
  Qparams CalculateQparams() const override;
  OrderedMap<Tensor> Buffers() const override { return {}; }
};

// dtype float32, bounds as given (absent: None); compute_dtype is accepted and
// changes nothing.
class PlaceholderObserver : public BlindObserver {
 public:
  explicit PlaceholderObserver(ObserverArguments& arguments);
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<PlaceholderObserver>(*this);
  }
};

// dtype float16.
class NoopObserver : public BlindObserver {
 public:
  explicit NoopObserver(ObserverArguments& arguments);
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<NoopObserver>(*this);
  }
};

// Stands for the observer of the operator's input; dtype quint8.
class ReuseInputObserver : public BlindObserver {
 public:
  explicit ReuseInputObserver(ObserverArguments& arguments);
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<ReuseInputObserver>(*this);
  }
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_PLACEHOLDER_OBSERVER_H_
