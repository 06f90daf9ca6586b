#include "cli/model_source.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/default_qconfig.h"
#include "reference/config/qconfig_mapping_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/safetensors.h"
#include "reference/ir/error.h"

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
  verb.add_option("--config", source.config,
                  "backend config: x86, qnnpack, ... or a JSON file")
      ->required();
  verb.add_option("--mapping", source.mapping,
                  "qconfig mapping as JSON; default: torch's for the config");
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
  model.graph = ReadGraphFile(model.graph_file);
  if (!source.calibration.empty()) {
    for (const auto& [name, tensor] : ReadSafetensors(source.calibration)) {
      model.calibration.push_back(tensor);
    }
  }
  return model;
}

LoadedConfig LoadBackendConfig(const std::string& name_or_file) {
  const std::vector<std::string> names = BuiltInBackendNames();
  if (std::find(names.begin(), names.end(), name_or_file) != names.end()) {
    // The built-in configs live as long as the program.
    return {std::shared_ptr<const BackendConfig>(std::shared_ptr<void>(),
                                                 &BuiltInBackendConfig(name_or_file)),
            name_or_file};
  }
  if (!fs::exists(name_or_file)) {
    std::string expected = "a JSON file or one of";
    for (const std::string& name : names) expected += " " + name;
    throw InputError("--config " + name_or_file, "no such config or file", expected);
  }
  const JsonFile file = JsonFile::Read(name_or_file);
  auto config = std::make_shared<BackendConfig>(
      BackendConfigFromJson(file.root(), file.Where(file.root())));
  return {config, config->name().empty() ? fs::path(name_or_file).stem().string()
                                         : config->name()};
}

QConfigMapping LoadMapping(const ModelSource& source, const LoadedConfig& config) {
  if (!source.mapping.empty()) {
    const JsonFile file = JsonFile::Read(source.mapping);
    return QConfigMappingFromJson(file.root(), file.Where(file.root()));
  }
  for (const char* engine : {"x86", "fbgemm", "qnnpack", "onednn"}) {
    if (config.name == engine) return GetDefaultQConfigMapping(engine);
  }
  return GetDefaultQConfigMapping("fbgemm");
}

GoldenSource DescribeSource(const ModelSource& source, const Model& model,
                            const LoadedConfig& config, const QConfigMapping& mapping) {
  GoldenSource description;
  description.model = model.name;
  description.config = config.name;
  description.mode = source.mode == Mode::kTorch ? "torch" : "strict";
  AddFileDigest(description, "model.graph", model.graph_file);
  fs::path tensors = model.graph_file;
  tensors.replace_extension().replace_extension(".safetensors");
  if (fs::exists(tensors)) AddFileDigest(description, "model.tensors", tensors);
  AddTextDigest(description, "config", BackendConfigToJson(*config.config).dump());
  AddTextDigest(description, "mapping", QConfigMappingToJson(mapping).dump());
  AddTensorDigest(description, "calibration", model.calibration);
  return description;
}

}  // namespace qconform
