// What the parts observers and fake_quant share: constructors and states of observers
// as records write them.
#ifndef QCONFORM_CLI_PARITY_OBSERVER_STATE_H_
#define QCONFORM_CLI_PARITY_OBSERVER_STATE_H_

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/parity/part.h"
#include "reference/observe/observer.h"
#include "reference/qconfig/qconfig.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// A class and its keywords; `prefix` goes before the class name ("torchao." for its
// copies). The keyword observer is {"class", "kwargs"}.
ObserverConstructor ConstructorFromJson(const std::string& class_name,
                                        const ordered_json& kwargs,
                                        const std::string& prefix = "");

// min_val and max_val of `where`'s record against the observer's.
std::optional<Difference> CompareRange(const Observer& observer,
                                       const ordered_json& min_value,
                                       const ordered_json& max_value,
                                       const std::string& where);

// All attributes and buffers that the record's state names.
std::optional<Difference> CompareState(const Observer& observer,
                                       const ordered_json& state,
                                       const std::string& where);

// Scale and zero point, or the kind of the error.
std::optional<Difference> CompareQparams(const Observer& observer,
                                         const ordered_json& want,
                                         const std::string& where);

// "AssertionError" of {"type": ...}, {"error": ...} or "AssertionError: text".
std::string ErrorKind(const ordered_json& error);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_OBSERVER_STATE_H_
