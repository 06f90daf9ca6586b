// The rows of numerics.json that have no operator of the ABI.
#ifndef QCONFORM_CLI_PARITY_NATIVE_OPERATORS_PART_H_
#define QCONFORM_CLI_PARITY_NATIVE_OPERATORS_PART_H_

#include <nlohmann/json.hpp>

#include "cli/parity/part.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Runs the row's operator by the definitions of the native engines and holds it against
// what fbgemm gave (torch's engines agree there). False if its name is not known.
bool CompareNativeRow(const ordered_json& row, RecordReport& report);

// The rows "errors": what torch answers to impossible scales, zero points, ranges and
// dtypes, each on two ones with scale 0.1 unless it says otherwise.
PartReport QuantizeErrorsPart(const ordered_json& file);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_NATIVE_OPERATORS_PART_H_
