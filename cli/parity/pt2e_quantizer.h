// The quantizer of a record of the part pt2e, from the settings that it holds.
#ifndef QCONFORM_CLI_PARITY_PT2E_QUANTIZER_H_
#define QCONFORM_CLI_PARITY_PT2E_QUANTIZER_H_

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "reference/config/mode.h"
#include "reference/quantizers/accounting_quantizer.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// `json` is the record's "quantizer". nullptr for a class of the record's author, whose
// Python code no record holds. Throws InputError on settings that do not hold together.
std::shared_ptr<AccountingQuantizer> QuantizerOfRecord(const ordered_json& json,
                                                       const std::string& where,
                                                       Mode mode = Mode::kTorch);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_QUANTIZER_H_
