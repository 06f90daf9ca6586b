// Classes of a model's author. A record keeps the children of such a module, but not its
// forward; most run their children one after the other.
#ifndef QCONFORM_CLI_PARITY_AUTHOR_CLASSES_H_
#define QCONFORM_CLI_PARITY_AUTHOR_CLASSES_H_

#include <optional>
#include <string>

#include "cli/parity/fx_record.h"

namespace qconform::parity {

// Takes every class in the record's float model that has no dotted name, and that nobody
// registered, as one that runs its children in order. Says why the model's values cannot
// be compared: the recorded float output shows that this is wrong for a class that the
// graph calls, or the graph holds an operator that the interpreter does not know.
std::optional<std::string> WhyValuesAreUnknown(const FxRecord& record,
                                               const ordered_json& float_stage);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_AUTHOR_CLASSES_H_
