// Observers inside custom modules. Records hold none of them, only the parameters that
// their parts got from them.
#ifndef QCONFORM_CLI_PARITY_INNER_OBSERVERS_H_
#define QCONFORM_CLI_PARITY_INNER_OBSERVERS_H_

#include <functional>
#include <optional>
#include <string>

#include "cli/parity/fx_stages.h"

namespace qconform::parity {

// Calls visit for every observer of a part below `module`, with its module.
void ForEachInnerObserver(const Module& module,
                          const std::function<void(const Module& observer)>& visit);

// Takes the parameters that a converted graph's record holds for the parts of custom
// modules, where they lie within the bounds of the observers that gave them.
std::optional<Difference> TakeInnerQparams(GraphModule& module,
                                           const ordered_json& converted,
                                           ObserverBounds& bounds, RecordReport& report);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_INNER_OBSERVERS_H_
