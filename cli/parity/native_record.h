// Lowered graphs in the form that the oracle records have.
#ifndef QCONFORM_CLI_PARITY_NATIVE_RECORD_H_
#define QCONFORM_CLI_PARITY_NATIVE_RECORD_H_

#include <nlohmann/json.hpp>

#include "reference/ir/module.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// As ModulesToRecord, with the packed weight of a linear, a convolution or an embedding
// as "qweight" and "bias". `want` says which attributes a record holds: torch's modules
// have more of them than a record keeps.
ordered_json NativeModulesToRecord(const GraphModule& module, const ordered_json& want);

// As AttributesToRecord; packed weights are opaque.
ordered_json NativeAttributesToRecord(const GraphModule& module);

// Recorded modules with the scales of their packed weights in one spelling.
ordered_json NormalizedModules(const ordered_json& want);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_NATIVE_RECORD_H_
