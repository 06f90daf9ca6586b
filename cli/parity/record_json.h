// Our graphs, modules and observers in the form that the oracle records have.
#ifndef QCONFORM_CLI_PARITY_RECORD_JSON_H_
#define QCONFORM_CLI_PARITY_RECORD_JSON_H_

#include <nlohmann/json.hpp>

#include "reference/fuse/fuse.h"
#include "reference/ir/module.h"
#include "reference/observe/observer.h"
#include "reference/observe/prepare.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// The nodes in order.
ordered_json GraphToRecord(const Graph& graph);

// The modules that the graph calls, by target; observers are left out. Tensors only if
// `tensors`; QAT modules always have theirs, with their fake-quantizer apart.
ordered_json ModulesToRecord(const GraphModule& module, bool tensors);
ordered_json ModuleToRecord(const Module& module, bool tensors);

// The tensors that get_attr nodes name.
ordered_json AttributesToRecord(const GraphModule& module);

// {"nodes": [...], "instances": {...}}: which node sees what by which instance.
ordered_json ObserversToRecord(const Prepared& prepared);
// Settings, statistics and parameters of one observer or fake-quantizer.
ordered_json ObserverToRecord(const Observer& observer);

ordered_json FusionMatchesToRecord(const OrderedMap<FusionMatch>& matches);
// With the qconfigs themselves where records have their numbers.
ordered_json MatchesToRecord(const Prepared& prepared);
ordered_json NodeQConfigsToRecord(const Prepared& prepared);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RECORD_JSON_H_
