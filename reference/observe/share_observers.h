// One observer for the inputs and the output of an operator that keeps the scale.
#ifndef QCONFORM_REFERENCE_OBSERVE_SHARE_OBSERVERS_H_
#define QCONFORM_REFERENCE_OBSERVE_SHARE_OBSERVERS_H_

#include <functional>
#include <memory>
#include <string>

#include "reference/ir/module.h"

namespace qconform {

// Whether the node calls a module that holds an observer or fake-quantizer.
bool IsObserverNode(const GraphModule& module, const Node* node);

// Lets the name of an observer refer to another one.
using RebindObserver =
    std::function<void(const std::string& name, const std::shared_ptr<Module>& shared)>;

// Rebinds the observers of the other inputs and of the output of `node` to the module
// that observes its first input, looking through unobserved nodes. False if the first
// input reaches no observer; then nothing, or only some inputs, was rebound.
// Throws PipelineError("AssertionError") if a user of `node` is no observer.
// (_maybe_make_input_output_share_observers)
bool ShareObservers(GraphModule& module, const Node& node, const RebindObserver& rebind);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_SHARE_OBSERVERS_H_
