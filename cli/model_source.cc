#include "cli/model_source.h"

#include <filesystem>
#include <iostream>
#include <map>

#include "datasets/seeded_weights.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/safetensors.h"
#include "reference/ir/error.h"
#include "reference/ir/rows.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {

namespace fs = std::filesystem;

void AddModelOptions(CLI::App& verb, ModelSource& source) {
  CLI::Option* model = verb.add_option("--model", source.model,
                                       "folder with model.json, a graph and data");
  verb.add_option("--graph", source.graph, "float graph (*.graph.json) of your own")
      ->excludes(model);
  verb.add_option("--calibration", source.calibration,
                  "safetensors file, one calibration batch a tensor (with --graph)")
      ->excludes(model);
  verb.add_option("--fill", source.fill,
                  "weights from a named seed, kaiming.SEED, for a graph without tensors "
                  "(with --graph)")
      ->excludes(model);
  verb.add_option("--config", source.config,
                  "backend config: x86, qnnpack, ... or a JSON file")
      ->required();
  verb.add_option(
      "--mapping", source.mapping,
      "qconfig mapping as JSON; default: torch's for the config's name, else for x86");
  verb.add_option("--mode", source.mode,
                  "torch: what torch does; strict: what it declares")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Mode>{
          {"torch", Mode::kTorch}, {"strict", Mode::kStrict}}));
}

Model LoadModel(const ModelSource& source) {
  if (!source.model.empty()) return ReadModel(source.model);
  if (source.graph.empty()) {
    throw InputError("command line", "no model", "--model FOLDER or --graph FILE");
  }
  Model model;
  model.graph_file = source.graph;
  model.folder = model.graph_file.parent_path();
  model.name = model.graph_file.stem().stem().string();
  model.graph = source.fill.empty() ? ReadGraphFile(model.graph_file)
                                    : ReadSeededGraph(model.graph_file, source.fill);
  if (!source.calibration.empty()) {
    for (const auto& [name, tensor] : ReadSafetensors(source.calibration)) {
      model.calibration.push_back(tensor);
    }
  }
  return model;
}

std::shared_ptr<const BackendConfig> LoadBackendConfig(const std::string& name_or_file) {
  if (IsBuiltInBackend(name_or_file)) {
    return BuiltInSettings(name_or_file).backend_config;
  }
  if (!fs::exists(name_or_file)) {
    std::string expected = "a JSON file or one of";
    for (const std::string& name : BuiltInBackendNames()) expected += " " + name;
    throw InputError("--config " + name_or_file, "no such config or file", expected);
  }
  const JsonFile file = JsonFile::Read(name_or_file);
  return std::make_shared<BackendConfig>(BackendConfigFromJson(file.root(), file));
}

void PrintIgnored(const ConfigFindings& ignored) {
  for (const ConfigFinding& finding : ignored) {
    std::cerr << "note: " << ToText(finding) << '\n';
  }
}

QuantizationSettings LoadSettings(const ModelSource& source) {
  const std::shared_ptr<const BackendConfig> config = LoadBackendConfig(source.config);
  // A file that holds one of torch's configs gets that config's mapping too.
  const bool built_in = IsBuiltInBackend(config->name());
  QuantizationSettings settings =
      BuiltInSettings(built_in ? config->name() : "x86", source.mode);
  settings.backend_config = config;
  if (!source.mapping.empty()) {
    const JsonFile file = JsonFile::Read(source.mapping);
    ConfigFindings ignored;
    settings.mapping = QConfigMappingFromJson(file.root(), file, &ignored);
    PrintIgnored(ignored);
  }
  return settings;
}

std::vector<Tensor> GoldenSamples(const Model& model) {
  return {Rows(model.calibration.at(0), 0, 1)};
}

void RequireCalibration(const Model& model) {
  if (model.calibration.empty()) {
    throw InputError("command line", "no calibration data",
                     "--calibration FILE with at least one tensor");
  }
}

Golden MakeGoldenOf(const Model& model, const QuantizationSettings& settings,
                    QuantizedModel quantized) {
  const std::vector<Tensor> samples = GoldenSamples(model);
  return MakeModelGolden(MakeGoldenSource(model.name, model.graph_file, settings,
                                          model.calibration, samples),
                         quantized.reasons, std::move(quantized.prepared.module),
                         std::move(quantized.reference), samples);
}

}  // namespace qconform
