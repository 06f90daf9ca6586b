// Observers by class name: what torch's constructors check and default.
#ifndef QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_

#include <functional>
#include <memory>
#include <string>

#include "reference/ir/name_table.h"
#include "reference/observe/observer.h"
#include "reference/observe/observer_arguments.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// The constructor of a class. It takes the keywords that it knows and refuses others
// (ObserverArguments::RejectOthers).
using ObserverFactory = std::function<std::shared_ptr<Observer>(ObserverArguments&)>;

// torch's classes by their bare names, those of extensions by their full ones.
NameTable<ObserverFactory>& ObserverFactories();

// Calls the constructor; the observer does what `mode` says where torch differs from its
// documentation. torch's class names with or without their Python module. Throws
// PipelineError of the kind that torch raises (AssertionError,
// NotImplementedError, TypeError) and InputError for an unknown class.
std::shared_ptr<Observer> MakeObserver(const ObserverConstructor& constructor,
                                       Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_
