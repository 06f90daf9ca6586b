// Changes that prepare and convert make to a qconfig mapping, and the checks on
// the way.
#ifndef QCONFORM_REFERENCE_QCONFIG_MAPPING_REWRITE_H_
#define QCONFORM_REFERENCE_QCONFIG_MAPPING_REWRITE_H_

#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

// Adds the fused classes that the graph calls, each with the qconfig of the
// classes it was made of. Throws PipelineError("LookupError") when these differ.
// (_update_qconfig_for_fusion)
void UpdateForFusion(const GraphModule& module, QConfigMapping& mapping);

// Adds the QAT class of every object type that has one. (_update_qconfig_for_qat)
void UpdateForQat(const BackendConfig& config, QConfigMapping& mapping);

// Children of the root that propagation does not enter, by name and by class.
// (non-traceable modules; torch forgets about them further down)
struct PropagationLimits {
  std::vector<std::string> names;
  std::vector<std::string> classes;
};

// The qconfig that eager propagation gives every module, by module path; only
// paths whose module exists. A module's own attribute "qconfig" (preset_qconfig.h) wins.
// Throws PipelineError("AssertionError") for a transposed convolution with a per channel
// weight observer, also where torch's own default mapping gives it one; strict mode does
// not. (torch.ao.quantization.quantize.propagate_qconfig_)
OrderedMap<QConfigPointer> PropagateQConfig(const GraphModule& module,
                                            const QConfigMapping& mapping,
                                            const PropagationLimits& limits = {},
                                            Mode mode = Mode::kTorch);

// Throws PipelineError("AssertionError") unless convert's mapping only turns
// settings of prepare's off. (_compare_prepare_convert_qconfig_mappings) torch does not
// compare the rules by order; strict mode does.
void CheckConvertMapping(const QConfigMapping& prepare, const QConfigMapping& convert,
                         Mode mode = Mode::kTorch);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QCONFIG_MAPPING_REWRITE_H_
