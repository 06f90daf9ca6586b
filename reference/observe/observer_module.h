// Observers and fake-quantizers as modules of a graph.
#ifndef QCONFORM_REFERENCE_OBSERVE_OBSERVER_MODULE_H_
#define QCONFORM_REFERENCE_OBSERVE_OBSERVER_MODULE_H_

#include <memory>

#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// A module whose state is a new observer and whose type is its public name,
// "torch.ao.quantization.observer.MinMaxObserver"; a user's as registered. Throws
// PipelineError as torch's constructor does.
std::shared_ptr<Module> MakeObserverModule(const ObserverConstructor& constructor,
                                           bool training, Mode mode = Mode::kTorch);

// The observer that a module holds; nullptr if it holds none.
std::shared_ptr<Observer> ObserverOf(const std::shared_ptr<Module>& module);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_OBSERVER_MODULE_H_
