// pipeline_saboteur FAULT FOLDER: answers a folder of pipeline requests with one planted
// fault; "none" is the reference itself.
#include <iostream>

#include "conformance/saboteurs/pipeline_fault.h"

int main(int count, char** words) {
  using namespace qconform;
  const PipelineFault* fault = count == 3 ? FindPipelineFault(words[1]) : nullptr;
  if (fault == nullptr) {
    std::cerr
        << "pipeline_saboteur: expected a fault of pipeline_faults.inc and a folder\n";
    return 4;
  }
  std::shared_ptr<const BackendConfig> config;
  AnswerFolder(words[2], [&](PipelineRequest request) {
    if (config == nullptr) config = FaultyConfig(*fault, *request.config);
    request.config = config;
    return AnswerWithFault(*fault, std::move(request));
  });
  return 0;
}
