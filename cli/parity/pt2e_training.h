// What training leaves in the attributes of an exported program.
#ifndef QCONFORM_CLI_PARITY_PT2E_TRAINING_H_
#define QCONFORM_CLI_PARITY_PT2E_TRAINING_H_

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/parity/part.h"
#include "cli/parity/train_bound.h"
#include "reference/ir/module.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Holds the attributes against those of the record, running statistics within their
// bounds, all else exactly, and takes the record's.
std::optional<Difference> TakeTrainedAttributes(GraphModule& module,
                                                const ordered_json& want,
                                                const TrainedErrors& trained,
                                                RecordReport& report);

// Sets the attributes that the record holds.
void TakeAttributes(GraphModule& module, const ordered_json& attributes);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_TRAINING_H_
