// Runs a prepared graph so that its observers see data.
#ifndef QCONFORM_REFERENCE_OBSERVE_CALIBRATE_H_
#define QCONFORM_REFERENCE_OBSERVE_CALIBRATE_H_

#include <optional>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/value.h"

namespace qconform {

// The forward of a module that holds an observer or fake-quantizer, of a QAT module, or
// of an observed custom module of torch's; nothing for any other module. A hook for
// Interpreter. Throws PipelineError("AttributeError") for an observer of what is no
// tensor.
std::optional<Value> CallObserved(const Node& node, Module& module, const Call& call);

// One forward over `inputs`, observers included; they see what torch's would see in the
// same order. Returns the graph's result.
Value RunObserved(GraphModule& module, const std::vector<Value>& inputs,
                  const Interpreter::NodeHook& hook = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_CALIBRATE_H_
