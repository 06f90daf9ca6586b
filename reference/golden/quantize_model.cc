#include "reference/golden/quantize_model.h"

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/convert/calibrated_scale.h"
#include "reference/convert/conversion_difference.h"
#include "reference/convert/convert.h"
#include "reference/convert/data_difference.h"
#include "reference/convert/unused_settings.h"
#include "reference/formats/graph_tensor_file.h"
#include "reference/formats/json_text.h"
#include "reference/formats/safetensors.h"
#include "reference/native/quantizable_conversion.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/custom_config_json.h"
#include "reference/observe/dropout_off.h"
#include "reference/observe/state_dict.h"
#include "reference/observe/used_modules.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

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

// What is set beyond config, mapping and mode: goldens without it name none of it.
void AddCustomSettings(GoldenSource& source, const QuantizationSettings& settings) {
  if (settings.is_qat) AddTextDigest(source, "prepare", "prepare_qat_fx");
  const std::string engine = EngineOf(settings);
  if (engine != BackendOfDefaultMapping(settings.backend_config->name())) {
    AddTextDigest(source, "engine", engine);
  }
  const ordered_json prepare = PrepareCustomConfigToJson(settings.prepare_custom_config);
  if (!prepare.empty()) {
    AddTextDigest(source, "prepare_custom_config", JsonText(prepare));
  }
  const ordered_json convert = ConvertCustomConfigToJson(settings.convert_custom_config);
  if (!convert.empty()) {
    AddTextDigest(source, "convert_custom_config", JsonText(convert));
  }
  if (settings.trained_state) {
    AddTextDigest(source, "trained_state", SafetensorsBytes(*settings.trained_state));
  }
}

}  // namespace

std::string BackendOfDefaultMapping(const std::string& config) {
  for (const char* name : {"fbgemm", "qnnpack", "onednn"}) {
    if (config == name) return name;
  }
  return "x86";
}

QuantizationSettings BuiltInSettings(const std::string& config, Mode mode) {
  QuantizationSettings settings;
  settings.backend_config = std::make_shared<BackendConfig>(BuiltInBackendConfig(config));
  settings.mapping = GetDefaultQConfigMapping(BackendOfDefaultMapping(config));
  settings.mode = mode;
  return settings;
}

std::string EngineOf(const QuantizationSettings& settings) {
  if (!settings.engine.empty()) return settings.engine;
  return BackendOfDefaultMapping(settings.backend_config->name());
}

PrepareOptions PrepareOptionsOf(const QuantizationSettings& settings) {
  PrepareOptions options;
  options.is_qat = settings.is_qat;
  options.mode = settings.mode;
  options.custom_config = settings.prepare_custom_config;
  return options;
}

ConvertOptions ConvertOptionsOf(const QuantizationSettings& settings) {
  ConvertOptions options;
  options.mode = settings.mode;
  options.engine = EngineOf(settings);
  options.custom_config = settings.convert_custom_config;
  AddQuantizableConversions(options);
  return options;
}

QuantizedModel QuantizeModel(const GraphModule& float_module,
                             const QuantizationSettings& settings,
                             const std::vector<std::vector<Tensor>>& calibration,
                             const CalibrationProgress& progress) {
  QuantizedModel model{PrepareFx(float_module, settings.mapping, settings.backend_config,
                                 PrepareOptionsOf(settings)),
                       {},
                       {},
                       {},
                       {},
                       {}};
  GraphModule& prepared = model.prepared.module;
  if (settings.trained_state) {
    LoadStateDict(prepared, *settings.trained_state, true, settings.trained_state_file);
  } else if (settings.is_qat) {
    SetTraining(*prepared.root, true);
  }
  // Even with a state: a graph traced in training has the function calls of training.
  if (settings.is_qat) SwitchDropoutOff(prepared);
  if (!settings.trained_state) {
    for (size_t i = 0; i < calibration.size(); ++i) {
      if (progress) progress(i, calibration.size());
      RunObserved(prepared,
                  std::vector<Value>(calibration[i].begin(), calibration[i].end()));
    }
  }
  // For PTQ the model is in evaluation mode when it is prepared; torch leaves its new
  // observers in training mode, where they do the same.
  if (settings.is_qat) SetTraining(*prepared.root, false);
  model.reference = ConvertToReference(model.prepared, ConvertOptionsOf(settings));
  model.reasons = ExplainNodes(float_module, model.prepared);
  if (settings.mode == Mode::kStrict) ExplainScales(model);
  model.unused_settings = UnusedSettings(float_module, model.prepared, model.reasons);
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
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::vector<Tensor>& samples) {
  GoldenSource source;
  source.model = model;
  source.config = settings.backend_config->name();
  source.mode = settings.mode == Mode::kTorch ? "torch" : "strict";
  AddFileDigest(source, "model.graph", graph_file);
  const std::filesystem::path tensors = GraphTensorFile(graph_file);
  if (graph_file.string().ends_with(".graph.json") && std::filesystem::exists(tensors)) {
    AddFileDigest(source, "model.tensors", tensors);
  }
  AddTextDigest(source, "config",
                JsonText(BackendConfigToJson(*settings.backend_config)));
  AddTextDigest(source, "mapping", JsonText(QConfigMappingToJson(settings.mapping)));
  AddCustomSettings(source, settings);
  std::vector<Tensor> tensors_of_batches;
  for (const std::vector<Tensor>& batch : calibration) {
    tensors_of_batches.insert(tensors_of_batches.end(), batch.begin(), batch.end());
  }
  AddTensorDigest(source, "calibration", tensors_of_batches);
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
