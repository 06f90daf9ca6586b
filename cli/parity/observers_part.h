// The oracle tables of observers: observers.json.
#ifndef QCONFORM_CLI_PARITY_OBSERVERS_PART_H_
#define QCONFORM_CLI_PARITY_OBSERVERS_PART_H_

#include <nlohmann/json.hpp>

#include "cli/parity/part.h"

namespace qconform::parity {

// cases (an observer fed with a sequence), ctor (what constructors settle or refuse),
// calculate_qparams_table and misc; one record each row.
PartReport ObserversPart(const nlohmann::ordered_json& file);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_OBSERVERS_PART_H_
