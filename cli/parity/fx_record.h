// One record of the parts fx and fx_matrix: a float model and what torch made of it.
#ifndef QCONFORM_CLI_PARITY_FX_RECORD_H_
#define QCONFORM_CLI_PARITY_FX_RECORD_H_

#include <memory>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/formats/json_file.h"
#include "reference/ir/module.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare_custom_config.h"
#include "reference/ops/value.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform::parity {

struct FxRecord {
  std::string name;
  bool is_qat = false;
  GraphModule float_module;
  QConfigMapping mapping;
  std::optional<QConfigMapping> convert_mapping;
  std::shared_ptr<const BackendConfig> backend_config;
  PrepareCustomConfig custom_config;
  ConvertCustomConfig convert_custom_config;
  // One list of graph inputs a batch.
  std::vector<std::vector<Value>> calibration_inputs;
  // Quantized where the model takes it so; what converted graphs get.
  std::vector<Value> test_input;
  // The same before; what the float and the prepared model get.
  std::vector<Value> float_test_input;
  // False if the model holds a class whose forward nobody knows: graphs can be compared,
  // what they compute cannot.
  bool values_known = true;
};

// Throws InputError on a record that does not hold together.
FxRecord FxRecordFromJson(const ordered_json& json, const std::string& where);

// A built-in backend config by the record's name for it, {"custom": ...} otherwise.
std::shared_ptr<const BackendConfig> RecordBackendConfig(const ordered_json& json,
                                                         const std::string& where);

// Tensors, numbers and nested lists.
Value ValueFromJson(const ordered_json& json, const std::string& where);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_FX_RECORD_H_
