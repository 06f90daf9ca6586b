// torch's own custom modules: torch.nn.LSTM and torch.nn.MultiheadAttention, made of
// parts that can be observed. (torch.ao.nn.quantizable)
#ifndef QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_QUANTIZABLE_MODULES_H_
#define QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_QUANTIZABLE_MODULES_H_

#include <memory>
#include <optional>

#include "reference/observe/custom_module.h"
#include "reference/ops/call.h"
#include "reference/ops/value.h"

namespace qconform {

// The from_float of an observed class of torch.ao.nn.quantizable, by its public or its
// full name; nullptr for any other. Throw PipelineError("AssertionError") for another
// float class.
CustomObservation QuantizableObservation(const std::string& observed_type);

// The same of an LSTM; with `split_gates` every gate has linears of its own.
std::shared_ptr<Module> ObserveLstm(const Module& lstm, const QConfig& qconfig,
                                    bool split_gates);

// The forward of an observed module of these classes; its observers see the values in
// between. Nothing for any other module.
std::optional<Value> CallQuantizable(Module& module, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QUANTIZABLE_QUANTIZABLE_MODULES_H_
