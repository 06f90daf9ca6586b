// An observer whose parameters were read from a record: what follows is then exact.
#ifndef QCONFORM_CLI_PARITY_RECORDED_OBSERVER_H_
#define QCONFORM_CLI_PARITY_RECORDED_OBSERVER_H_

#include <memory>

#include "reference/observe/observer.h"

namespace qconform::parity {

// With the settings of `observer`; it observes nothing more.
std::shared_ptr<Observer> MakeRecordedObserver(const Observer& observer, Qparams qparams);

bool IsRecordedObserver(const Observer& observer);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RECORDED_OBSERVER_H_
