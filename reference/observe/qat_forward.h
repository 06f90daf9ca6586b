// The forward of modules that train with fake-quantized weights: torch.ao.nn.qat and
// torch.ao.nn.intrinsic.qat.
#ifndef QCONFORM_REFERENCE_OBSERVE_QAT_FORWARD_H_
#define QCONFORM_REFERENCE_OBSERVE_QAT_FORWARD_H_

#include <optional>
#include <vector>

#include "reference/ir/module.h"
#include "reference/ops/call.h"
#include "reference/ops/value.h"

namespace qconform {

// Nothing if the module is no QAT module. In training mode a batch norm uses the
// statistics of the batch and updates its running ones.
std::optional<Value> CallQatModule(Module& module, const Call& call);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_QAT_FORWARD_H_
