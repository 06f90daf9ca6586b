// One record of the part pt2e: an exported program and what torchao made of it.
#ifndef QCONFORM_CLI_PARITY_PT2E_RECORD_H_
#define QCONFORM_CLI_PARITY_PT2E_RECORD_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference/exported/exported_program.h"
#include "reference/ops/value.h"

namespace qconform::parity {

using nlohmann::ordered_json;

struct Pt2eRecord {
  std::string name;
  bool is_qat = false;
  // One list of inputs a batch.
  std::vector<std::vector<Value>> calibration_inputs;
  std::vector<Value> test_input;
};

// Throw InputError on a record that does not hold together.
Pt2eRecord Pt2eRecordFromJson(const ordered_json& json, const std::string& where);
// The float program; nodes have the module stack and shape that the record gives them.
ExportedProgram ProgramFromRecord(const ordered_json& json, const std::string& where);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_PT2E_RECORD_H_
