// The stages of quantizing an exported program, each held against what torchao left.
#ifndef QCONFORM_CLI_PARITY_PT2E_STAGES_H_
#define QCONFORM_CLI_PARITY_PT2E_STAGES_H_

#include <nlohmann/json.hpp>
#include <string>

#include "cli/parity/part.h"

namespace qconform::parity {

using nlohmann::ordered_json;

// Annotations, sharing groups, the prepared program and its observers, the converted
// program with and without folding, its codes and output. An error is compared by its
// kind.
RecordReport ComparePt2eRecord(const ordered_json& want, const std::string& where);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_STAGES_H_
