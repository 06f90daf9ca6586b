// The oracle tables of quantize, dequantize, fake quantize and the choice of
// parameters, and of the quantized operators (operators_part.h): numerics.json.
#ifndef QCONFORM_CLI_PARITY_NUMERICS_PART_H_
#define QCONFORM_CLI_PARITY_NUMERICS_PART_H_

#include <nlohmann/json.hpp>

#include "cli/parity/part.h"

namespace qconform::parity {

PartReport NumericsPart(const nlohmann::ordered_json& file);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_NUMERICS_PART_H_
