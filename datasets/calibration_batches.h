// The batches of a safetensors file of calibration data.
#ifndef QCONFORM_DATASETS_CALIBRATION_BATCHES_H_
#define QCONFORM_DATASETS_CALIBRATION_BATCHES_H_

#include <string>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"

namespace qconform {

// By batch, one tensor a graph input, in the order of the placeholders.
using CalibrationBatches = std::vector<std::vector<Tensor>>;

// Tensors are named "BATCH.INPUT", "0.x", "0.y", "1.x", ...: batches are numbered from 0,
// and each has every input, by the name of its placeholder or of forward's argument; the
// last inputs may be left out in all batches if the graph has defaults for them. For a
// graph with one input any other names do too: every tensor is a batch, in the file's
// order. Throws InputError at `where`.
CalibrationBatches BatchesOfTensors(const OrderedMap<Tensor>& tensors,
                                    const GraphModule& graph, const std::string& where);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_CALIBRATION_BATCHES_H_
