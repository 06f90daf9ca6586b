// The oracle records of fake-quantize modules: fake_quant.json.
#ifndef QCONFORM_CLI_PARITY_FAKE_QUANT_PART_H_
#define QCONFORM_CLI_PARITY_FAKE_QUANT_PART_H_

#include <nlohmann/json.hpp>

#include "cli/parity/part.h"

namespace qconform::parity {

PartReport FakeQuantPart(const nlohmann::ordered_json& file);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_FAKE_QUANT_PART_H_
