// Faults planted into the reference as a pipeline, by name.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_PIPELINE_FAULT_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_PIPELINE_FAULT_H_

#include <span>
#include <string>

#include "conformance/host/pipeline_folder.h"

namespace qconform {

// What a fault changes; what is empty stays sound.
struct PipelineFault {
  const char* name = "";
  const char* text = "";  // what it does
  void (*request)(PipelineRequest&) = nullptr;
  // The backend config is changed once for all cases.
  void (*entry)(BackendPatternConfig&) = nullptr;
  void (*config)(std::vector<BackendPatternConfig>&) = nullptr;
  void (*prepared)(Prepared&) = nullptr;
  void (*reference)(GraphModule&) = nullptr;
};

// "none" first: the sound one.
std::span<const PipelineFault> PipelineFaults();
// nullptr for a name that is not there.
const PipelineFault* FindPipelineFault(const std::string& name);

// The config as a pipeline with this fault sees it.
std::shared_ptr<const BackendConfig> FaultyConfig(const PipelineFault& fault,
                                                  const BackendConfig& config);

// The answer of a pipeline with this fault; the request's config is FaultyConfig's.
PipelineAnswer AnswerWithFault(const PipelineFault& fault, PipelineRequest request);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_PIPELINE_FAULT_H_
