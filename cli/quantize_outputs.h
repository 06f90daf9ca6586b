// Where quantize writes, settled before it computes anything.
#ifndef QCONFORM_CLI_QUANTIZE_OUTPUTS_H_
#define QCONFORM_CLI_QUANTIZE_OUTPUTS_H_

#include <string>
#include <vector>

#include "cli/model_source.h"

namespace qconform {

struct QuantizeOutputs {
  std::string golden;              // its folder
  std::vector<std::string> kinds;  // of graphs beside it
  std::string summary;             // empty: none
};

// The file of a graph beside the golden's folder: "out" and "out/" have theirs as
// "out.KIND.graph.json".
std::string GraphBeside(const std::string& golden, const std::string& kind);

// Throws InputError unless all can be written, lies apart from each other, and replaces
// none of the files that the source names.
void RequireOutputs(const QuantizeOutputs& outputs, const ModelSource& source);

}  // namespace qconform

#endif  // QCONFORM_CLI_QUANTIZE_OUTPUTS_H_
