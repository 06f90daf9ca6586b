#include "reference/golden/quantize_model.h"

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/convert/calibrated_scale.h"
#include "reference/convert/conversion_difference.h"
#include "reference/convert/convert.h"
#include "reference/convert/data_difference.h"
#include "reference/formats/json_text.h"
#include "reference/observe/calibrate.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

bool HasDefaultMapping(const std::string& config) {
  return config == "fbgemm" || config == "qnnpack" || config == "onednn" ||
         config == "x86";
}

// Patterns that strict mode left float because of what the data showed.
void ExplainScales(QuantizedModel& model) {
  std::unordered_map<std::string, std::string> reasons;
  for (const auto& [name, text] : ScalesOutOfBounds(model.prepared)) {
    const std::string& reason = text;
    ForEachNode((*model.prepared.matches.Find(name))->nodes,
                [&](const Node* node) { reasons[node->name()] = reason; });
  }
  for (NodeReason& node : model.reasons) {
    const auto found = reasons.find(node.node);
    if (found == reasons.end()) continue;
    node.fate = NodeFate::kFloat;
    node.constraint = "scale_max_upper_bound";
    node.text = "float: " + found->second;
  }
}

}  // namespace

QuantizationSettings BuiltInSettings(const std::string& config, Mode mode) {
  return {std::make_shared<BackendConfig>(BuiltInBackendConfig(config)),
          GetDefaultQConfigMapping(HasDefaultMapping(config) ? config : "x86"), mode};
}

QuantizedModel QuantizeModel(const GraphModule& float_module,
                             const QuantizationSettings& settings,
                             const std::vector<Tensor>& calibration,
                             const CalibrationProgress& progress) {
  PrepareOptions options;
  options.mode = settings.mode;
  QuantizedModel model{
      PrepareFx(float_module, settings.mapping, settings.backend_config, options),
      {},
      {},
      {},
      {},
      {}};
  for (size_t i = 0; i < calibration.size(); ++i) {
    if (progress) progress(i, calibration.size());
    RunObserved(model.prepared.module, {Value(calibration[i])});
  }
  ConvertOptions convert;
  convert.mode = settings.mode;
  convert.engine = settings.backend_config->name();
  model.reference = ConvertToReference(model.prepared, convert);
  model.reasons = ExplainNodes(float_module, model.prepared);
  if (settings.mode == Mode::kStrict) ExplainScales(model);
  model.unused_settings = UnusedSettings(model.prepared);
  model.differences = model.prepared.differences;
  for (ModeDifference& difference : ConversionDifferences(model.prepared)) {
    model.differences.push_back(std::move(difference));
  }
  model.data_differences = DataDifferences(model.prepared);
  return model;
}

GoldenSource MakeGoldenSource(const std::string& model,
                              const std::filesystem::path& graph_file,
                              const QuantizationSettings& settings,
                              const std::vector<Tensor>& calibration,
                              const std::vector<Tensor>& samples) {
  GoldenSource source;
  source.model = model;
  source.config = settings.backend_config->name();
  source.mode = settings.mode == Mode::kTorch ? "torch" : "strict";
  AddFileDigest(source, "model.graph", graph_file);
  std::string tensors = graph_file.string();
  const std::string ending = ".graph.json";
  if (tensors.ends_with(ending)) {
    tensors.replace(tensors.size() - ending.size(), ending.size(), ".safetensors");
    if (std::filesystem::exists(tensors)) {
      AddFileDigest(source, "model.tensors", tensors);
    }
  }
  AddTextDigest(source, "config",
                JsonText(BackendConfigToJson(*settings.backend_config)));
  AddTextDigest(source, "mapping", JsonText(QConfigMappingToJson(settings.mapping)));
  AddTensorDigest(source, "calibration", calibration);
  AddTensorDigest(source, "samples", samples);
  return source;
}

Golden MakeModelGolden(GoldenSource source, const std::vector<NodeReason>& reasons,
                       GraphModule prepared, GraphModule reference,
                       const std::vector<Tensor>& samples) {
  std::unordered_map<std::string, std::string> patterns;
  for (const NodeReason& reason : reasons) {
    if (reason.pattern.empty()) continue;
    // A fused node lives on as the one that it was fused into.
    patterns.emplace(reason.fused_into.empty() ? reason.node : reason.fused_into,
                     reason.pattern);
  }
  return MakeGolden(std::move(source), std::move(prepared), std::move(reference), samples,
                    patterns);
}

}  // namespace qconform
