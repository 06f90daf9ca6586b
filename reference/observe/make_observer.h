// Observers by class name: what torch's constructors check and default.
#ifndef QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_
#define QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_

#include <memory>
#include <string>

#include "reference/observe/observer.h"
#include "reference/qconfig/qconfig.h"

namespace qconform {

// Calls the constructor. Class names with or without their Python module. Throws
// PipelineError of the kind that torch raises (AssertionError,
// NotImplementedError, TypeError) and InputError for an unknown class.
std::shared_ptr<Observer> MakeObserver(const ObserverConstructor& constructor);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_MAKE_OBSERVER_H_
