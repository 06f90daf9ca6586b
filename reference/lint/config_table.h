// What a backend config can do, as a table.
#ifndef QCONFORM_REFERENCE_LINT_CONFIG_TABLE_H_
#define QCONFORM_REFERENCE_LINT_CONFIG_TABLE_H_

#include <string>
#include <vector>

#include "reference/config/backend_config.h"

namespace qconform {

// One dtype config of one row.
struct CapabilityRow {
  std::string pattern;  // in order of execution where torch's `pattern` says it
  std::string input;    // "quint8 [0, 255]"; "-" for any
  std::string weight;
  std::string bias;
  std::string output;
  std::string how;  // "static", "dynamic", "weight only", "float16", "float"
  // How the row is trained: "qat module nnqat.Linear", "activations", "no".
  std::string training;
  // "fuses to torch.ao.nn.intrinsic.ConvReLU2d", "shares input's observer", ...
  std::string notes;
};

std::vector<CapabilityRow> CapabilityTable(const BackendConfig& config);
// Columns padded to their widest value, a header first.
std::string CapabilityText(const std::vector<CapabilityRow>& rows);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_CONFIG_TABLE_H_
