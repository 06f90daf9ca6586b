// Whether a pipeline answered what another one did, up to isomorphism.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_ANSWER_DIFFERENCE_H_
#define QCONFORM_CONFORMANCE_CONTRACT_ANSWER_DIFFERENCE_H_

#include <optional>
#include <string>

#include "conformance/host/pipeline_folder.h"

namespace qconform {

struct AnswerDifference {
  // "prepared graph", "reference graph", "accepts what is refused", "refuses what is
  // accepted", "refuses elsewhere".
  std::string cause;
  std::string text;  // one line
};

// Node names and paths may differ, one to one. Observers that are one module in one
// answer must be one in the other.
std::optional<AnswerDifference> FindAnswerDifference(const PipelineAnswer& want,
                                                     const PipelineAnswer& got);

// The same for two graphs.
std::optional<std::string> FindGraphDifference(const GraphModule& want,
                                               const GraphModule& got);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_ANSWER_DIFFERENCE_H_
