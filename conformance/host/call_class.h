// Which calls take the same ways through a backend, as far as their parameters tell.
#ifndef QCONFORM_CONFORMANCE_HOST_CALL_CLASS_H_
#define QCONFORM_CONFORMANCE_HOST_CALL_CLASS_H_

#include <string>

#include "conformance/host/operator_call.h"
#include "kernels/abi/qconform_backend.h"

namespace qconform {

// The backend, the operator's name, and of its first inputs and outputs the dtypes and
// whether they have parameters by channel and ranges; whether it has an activation and
// padding. One text for each class.
std::string ClassOf(const qc_backend& table, const OperatorCall& call);

// Whether `what` is asked of this backend and operator kind for the first time in this
// process. Says so once.
bool TakeFirst(const qc_backend& table, const OperatorCall& call,
               const std::string& what);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_CALL_CLASS_H_
