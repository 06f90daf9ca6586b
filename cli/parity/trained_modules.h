// What training leaves in modules: running statistics, ranges of weights.
#ifndef QCONFORM_CLI_PARITY_TRAINED_MODULES_H_
#define QCONFORM_CLI_PARITY_TRAINED_MODULES_H_

#include <optional>

#include "cli/parity/json_difference.h"
#include "cli/parity/part.h"
#include "cli/parity/train_bound.h"
#include "reference/observe/prepare.h"

namespace qconform::parity {

// Holds the prepared graph's modules against the record's: statistics and ranges within
// their bounds, with a note, everything else exactly.
std::optional<Difference> CompareTrainedModules(const Prepared& prepared,
                                                const ordered_json& want,
                                                const TrainedErrors& errors,
                                                RecordReport& report);

// Sets what the record holds of the same: what follows is then exact. Batch norms by
// themselves stand in the record of the reference graph only; they are compared here.
std::optional<Difference> TakeTrainedState(Prepared& prepared, const ordered_json& want,
                                           const ordered_json& reference,
                                           const TrainedErrors& errors,
                                           RecordReport& report);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_TRAINED_MODULES_H_
