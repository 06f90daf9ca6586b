#include "reference/observe/observer_module.h"

#include "reference/observe/make_observer.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {

std::shared_ptr<Module> MakeObserverModule(const ObserverConstructor& constructor,
                                           bool training, Mode mode) {
  const std::shared_ptr<Observer> observer = MakeObserver(constructor, mode);
  auto module = std::make_shared<Module>();
  module->type = observer->class_name;
  if (UserObservers().Find(observer->class_name) == nullptr) {
    module->type.insert(0, observer->IsFakeQuantize()
                               ? "torch.ao.quantization.fake_quantize."
                               : "torch.ao.quantization.observer.");
  }
  module->training = training;
  module->state = observer;
  return module;
}

std::shared_ptr<Observer> ObserverOf(const std::shared_ptr<Module>& module) {
  return module ? std::dynamic_pointer_cast<Observer>(module->state) : nullptr;
}

}  // namespace qconform
