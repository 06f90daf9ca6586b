// The pipeline from end to end, as the verbs quantize, explain and golden run it.
#ifndef QCONFORM_CLI_QUANTIZED_MODEL_H_
#define QCONFORM_CLI_QUANTIZED_MODEL_H_

#include <functional>
#include <string>
#include <vector>

#include "cli/model_source.h"
#include "reference/convert/node_reason.h"
#include "reference/golden/golden.h"
#include "reference/observe/prepare.h"

namespace qconform {

struct PreparedModel {
  Model model;
  LoadedConfig config;
  QConfigMapping mapping;
  Prepared prepared;
};

// Reads and prepares; no calibration yet.
PreparedModel PrepareModel(const ModelSource& source);

// Shows the calibration batches to the observers; `progress` is told before each.
// Throws InputError without batches.
void CalibrateModel(PreparedModel& model,
                    const std::function<void(size_t batch, size_t count)>& progress);

// Converts, lowers and runs the sample (the first row of the first calibration batch).
Golden MakeModelGolden(const ModelSource& source, const PreparedModel& model);

}  // namespace qconform

#endif  // QCONFORM_CLI_QUANTIZED_MODEL_H_
