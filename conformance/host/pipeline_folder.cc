#include "conformance/host/pipeline_folder.h"

#include <algorithm>

#include "datasets/calibration_batches.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/json_text.h"
#include "reference/formats/safetensors.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr char kFormat[] = "qconform.pipeline/1";
constexpr char kRequest[] = "request.json";
constexpr char kGraph[] = "float.graph.json";
constexpr char kMapping[] = "qconfig_mapping.json";
constexpr char kCalibration[] = "calibration.safetensors";
constexpr char kPrepared[] = "prepared.graph.json";
constexpr char kReference[] = "reference.graph.json";
constexpr char kRefusal[] = "refusal.json";

void WriteJson(const fs::path& file, const ordered_json& json) {
  WriteFileAtomically(file, json.dump());
}

// A required member; throws InputError that names it.
const ordered_json& Member(const JsonFile& file, const char* name) {
  const ordered_json& root = file.root();
  const auto found = root.is_object() ? root.find(name) : root.end();
  if (!root.is_object() || found == root.end()) {
    throw InputError(file.name(), std::string("has no \"") + name + "\"", "one");
  }
  return *found;
}

std::string TextMember(const JsonFile& file, const char* name) {
  const ordered_json& value = Member(file, name);
  if (!value.is_string()) {
    throw InputError(file.Where(value), std::string("\"") + name + "\" is no text",
                     "a text");
  }
  return value.get<std::string>();
}

std::shared_ptr<const BackendConfig> ReadConfig(const fs::path& path) {
  const JsonFile file = JsonFile::Read(path);
  return std::make_shared<const BackendConfig>(BackendConfigFromJson(file.root(), file));
}

}  // namespace

void WriteRequest(const fs::path& folder, const PipelineRequest& request) {
  fs::create_directories(folder);
  WriteGraphFile(folder / kGraph, request.graph);
  WriteJson(folder / kMapping, QConfigMappingToJson(request.mapping));
  ordered_json json = {{"format", kFormat},
                       {"graph", kGraph},
                       {"qconfig_mapping", kMapping},
                       {"backend_config", std::string("../") + kPipelineConfigFile},
                       {"is_qat", request.is_qat},
                       {"mode", request.mode == Mode::kTorch ? "torch" : "strict"},
                       {"engine", request.engine}};
  if (!request.calibration.empty()) {
    OrderedMap<Tensor> tensors;
    for (size_t batch = 0; batch < request.calibration.size(); ++batch) {
      size_t index = 0;
      for (const Node& node : request.graph.graph.nodes()) {
        if (node.op() != Op::kPlaceholder) continue;
        tensors.Set(std::to_string(batch) + "." + node.name(),
                    request.calibration[batch].at(index++));
      }
    }
    WriteSafetensors(folder / kCalibration, tensors);
    json["calibration"] = kCalibration;
  }
  WriteJson(folder / kRequest, json);
}

PipelineRequest ReadRequest(const fs::path& folder,
                            std::shared_ptr<const BackendConfig> config) {
  const JsonFile file = JsonFile::Read(folder / kRequest);
  PipelineRequest request;
  request.graph = ReadGraphFile(folder / TextMember(file, "graph"));
  const JsonFile mapping = JsonFile::Read(folder / TextMember(file, "qconfig_mapping"));
  request.mapping = QConfigMappingFromJson(mapping.root(), mapping);
  request.config = config ? std::move(config)
                          : ReadConfig(folder / TextMember(file, "backend_config"));
  request.is_qat = Member(file, "is_qat") == true;
  request.mode = TextMember(file, "mode") == "strict" ? Mode::kStrict : Mode::kTorch;
  request.engine = TextMember(file, "engine");
  if (file.root().contains("calibration")) {
    const fs::path calibration = folder / TextMember(file, "calibration");
    request.calibration = BatchesOfTensors(ReadSafetensors(calibration), request.graph,
                                           calibration.string());
  }
  return request;
}

void WriteAnswer(const fs::path& folder, const PipelineAnswer& answer) {
  if (answer.prepared) WriteGraphFile(folder / kPrepared, *answer.prepared);
  if (answer.reference) WriteGraphFile(folder / kReference, *answer.reference);
  if (answer.refused()) {
    WriteJson(folder / kRefusal, {{"stage", answer.refusal_stage},
                                  {"error", answer.refusal_error},
                                  {"message", answer.refusal_message}});
  }
  WriteFileAtomically(folder / kPipelineDoneFile, "");
}

PipelineAnswer ReadAnswer(const fs::path& folder) {
  PipelineAnswer answer;
  if (fs::exists(folder / kRefusal)) {
    const JsonFile file = JsonFile::Read(folder / kRefusal);
    answer.refusal_stage = TextMember(file, "stage");
    answer.refusal_error = TextMember(file, "error");
    answer.refusal_message = TextMember(file, "message");
  }
  // A refusal takes the place of what is missing.
  const bool late = answer.refused() && answer.refusal_stage != "prepare";
  if (!answer.refused() || (late && fs::exists(folder / kPrepared))) {
    answer.prepared = ReadGraphFile(folder / kPrepared);
  }
  if (!answer.refused()) answer.reference = ReadGraphFile(folder / kReference);
  return answer;
}

void AnswerFolder(const fs::path& folder,
                  const std::function<PipelineAnswer(PipelineRequest)>& answer) {
  std::vector<fs::path> cases;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) cases.push_back(entry.path());
  }
  std::sort(cases.begin(), cases.end());
  const std::shared_ptr<const BackendConfig> config =
      ReadConfig(folder / kPipelineConfigFile);
  for (const fs::path& path : cases) {
    if (!fs::exists(path / kPipelineDoneFile)) {
      WriteAnswer(path, answer(ReadRequest(path, config)));
    }
  }
}

}  // namespace qconform
