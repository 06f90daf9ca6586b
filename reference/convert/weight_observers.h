// Shows functional weights to their observers without calibration data.
#ifndef QCONFORM_REFERENCE_CONVERT_WEIGHT_OBSERVERS_H_
#define QCONFORM_REFERENCE_CONVERT_WEIGHT_OBSERVERS_H_

#include <string>
#include <unordered_map>

#include "reference/ir/module.h"
#include "reference/observe/node_target.h"

namespace qconform {

// Runs, for the weight argument of every call_function node, the nodes that produce it
// from the module's own tensors. A weight that depends on a graph input is left out.
// `targets` by node name. (_run_weight_observers)
void RunWeightObservers(GraphModule& module,
                        const std::unordered_map<std::string, NodeTarget>& targets);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_WEIGHT_OBSERVERS_H_
