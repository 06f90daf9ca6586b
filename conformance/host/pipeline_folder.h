// What a pipeline is asked, and what it answers, as files; `pipeline:COMMAND` runs
// COMMAND FOLDER (pipeline_subject.h). FOLDER holds
//   backend_config.json     the config, with torch's keys
//   one folder a case, in the order of their names, with
//     request.json          {"format": "qconform.pipeline/1", "graph", "calibration",
//                           "qconfig_mapping", "backend_config": file names relative to
//                           the case; no calibration if the graph cannot be run,
//                           "is_qat", "mode": "torch" or "strict", "engine"}
//     float.graph.json      the float graph (formats/graph_json.h) with its tensors
//     qconfig_mapping.json  with torch's keys
//     calibration.safetensors  "0.x", "0.y", "1.x", ...: batch and placeholder
// For every case the pipeline prepares, runs the batches, converts to a reference graph,
// and leaves in the case's folder what is below. For QAT the batches run in training mode
// with fake quantization off (torch's disable_fake_quant), so that sums are exact
// whatever their order; then it is on again, and evaluation.
//   prepared.graph.json     an observer is a module with "attrs" dtype, qscheme,
//                           quant_min, quant_max, is_dynamic, eps and "buffers" scale,
//                           zero_point, min_val, max_val: those that it has; one that is
//                           shared is "same_as" the first
//   reference.graph.json
//   refusal.json            in the place of what is missing: {"stage": "prepare",
//                           "calibrate" or "convert", "error": class of the exception,
//                           "message"}
//   done                    last, empty: the case is finished
#ifndef QCONFORM_CONFORMANCE_HOST_PIPELINE_FOLDER_H_
#define QCONFORM_CONFORMANCE_HOST_PIPELINE_FOLDER_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/ir/module.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

struct PipelineRequest {
  GraphModule graph;
  std::shared_ptr<const BackendConfig> config;
  QConfigMapping mapping;
  // One tensor a placeholder, for each batch.
  std::vector<std::vector<Tensor>> calibration;
  bool is_qat = false;
  Mode mode = Mode::kTorch;
  std::string engine = "x86";
};

struct PipelineAnswer {
  // Observers are written out as attributes and buffers of their modules.
  std::optional<GraphModule> prepared;
  std::optional<GraphModule> reference;
  // Of a pipeline that refuses; empty otherwise.
  std::string refusal_stage;
  std::string refusal_error;
  std::string refusal_message;

  bool refused() const { return !refusal_stage.empty(); }
};

inline constexpr char kPipelineConfigFile[] = "backend_config.json";
inline constexpr char kPipelineDoneFile[] = "done";

// The request without its config, which lies in the folder above.
void WriteRequest(const std::filesystem::path& folder, const PipelineRequest& request);
// `config`: the one that the request names, where it is read already. Throws InputError.
PipelineRequest ReadRequest(const std::filesystem::path& folder,
                            std::shared_ptr<const BackendConfig> config = nullptr);

void WriteAnswer(const std::filesystem::path& folder, const PipelineAnswer& answer);
// Throws InputError for an answer that is neither whole nor a refusal, or malformed.
PipelineAnswer ReadAnswer(const std::filesystem::path& folder);

// Changes what the reference has prepared or converted before it is answered; for
// pipelines with a planted fault.
struct AnswerHooks {
  std::function<void(Prepared&)> prepared;
  std::function<void(GraphModule&)> reference;
};

// What the reference answers.
PipelineAnswer AnswerByReference(const PipelineRequest& request,
                                 const AnswerHooks& hooks = {});

// Answers every case of a folder: the main function of a pipeline command.
void AnswerFolder(const std::filesystem::path& folder,
                  const std::function<PipelineAnswer(PipelineRequest)>& answer);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_PIPELINE_FOLDER_H_
