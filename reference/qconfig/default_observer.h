// torch's ready-made observers and fake-quantizers.
#ifndef QCONFORM_REFERENCE_QCONFIG_DEFAULT_OBSERVER_H_
#define QCONFORM_REFERENCE_QCONFIG_DEFAULT_OBSERVER_H_

#include <string>

#include "reference/qconfig/qconfig.h"

namespace qconform {

// By torch's name: "default_weight_observer", "default_fixed_qparams_range_0to1_
// observer", ... Precondition: the name is known. The names and their arguments
// stand in the table of the .cc file.
const ObserverConstructor& NamedObserver(const std::string& name);
// nullptr if there is none of that name.
const ObserverConstructor* FindNamedObserver(const std::string& name);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_DEFAULT_OBSERVER_H_
