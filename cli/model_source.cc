#include "cli/model_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/golden_folder.h"
#include "cli/print_ignored.h"
#include "datasets/calibration_batches.h"
#include "datasets/seeded_weights.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/graph_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/safetensors.h"
#include "reference/ir/error.h"
#include "reference/ir/rows.h"
#include "reference/observe/custom_config_json.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {

namespace fs = std::filesystem;

void AddPreparationOptions(CLI::App& verb, ModelSource& source) {
  CLI::Option* model =
      verb.add_option("--model", source.model,
                      "a model: its folder with model.json, a graph and data, or a "
                      "name in datasets/models");
  verb.add_option("--graph", source.graph, "float graph (*.graph.json) of your own")
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
      "qconfig mapping: one of torch's by name (default:x86, default_qat:qnnpack, "
      "symmetric_qnnpack, ...; `export mapping --help` lists them) or a JSON file; "
      "default: torch's for the config's name, else for x86");
  verb.add_flag("--qat", source.is_qat,
                "prepare for training; dropout and stochastic depth, which are random, "
                "are switched off; default mapping: torch's for training");
  verb.add_option("--prepare-custom-config", source.prepare_custom_config,
                  "torch's PrepareCustomConfig as JSON");
  verb.add_option("--convert-custom-config", source.convert_custom_config,
                  "torch's ConvertCustomConfig as JSON");
  verb.add_option("--mode", source.mode,
                  "torch: what torch does; strict: what it declares")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Mode>{
          {"torch", Mode::kTorch}, {"strict", Mode::kStrict}}));
}

void AddModelOptions(CLI::App& verb, ModelSource& source) {
  AddPreparationOptions(verb, source);
  verb.add_option("--calibration", source.calibration,
                  "safetensors file, one calibration batch a tensor; for a graph with "
                  "several inputs tensors are named BATCH.INPUT: 0.x, 0.y, 1.x, 1.y, ... "
                  "(with --graph)")
      ->excludes("--model");
  verb.add_option("--engine", source.engine,
                  "torch's quantized engine, which decides the range of dynamic "
                  "quantization: fbgemm, x86, qnnpack or onednn; default: the config's "
                  "name if it is one of them, else x86")
      ->check(CLI::IsMember({"fbgemm", "x86", "qnnpack", "onednn"}));
  verb.add_option("--state-dict", source.state_dict,
                  "safetensors file: the state_dict of the prepared model, trained or "
                  "calibrated elsewhere; the observers then see no "
                  "data, of which a golden's sample still is the first row");
}

Model LoadModel(const ModelSource& source) {
  if (!source.model.empty()) return ReadModel(ModelFolder(source.model));
  if (source.graph.empty()) {
    throw InputError("command line", "no model", "--model FOLDER or --graph FILE");
  }
  Model model;
  model.graph_file = source.graph;
  model.folder = model.graph_file.parent_path();
  model.name = model.graph_file.stem().stem().string();
  model.fill = source.fill;
  model.graph = source.fill.empty() ? ReadGraphFile(model.graph_file)
                                    : ReadSeededGraph(model.graph_file, source.fill);
  if (!source.calibration.empty()) {
    model.calibration = BatchesOfTensors(ReadSafetensors(source.calibration), model.graph,
                                         source.calibration);
  }
  return model;
}

namespace {

// A file of settings by its reader; its ignored keys are printed.
template <typename Settings>
Settings ReadSettings(const std::string& path,
                      Settings (*read)(const ordered_json&, const JsonOrigin&,
                                       ConfigFindings*)) {
  const JsonFile file = JsonFile::Read(path);
  ConfigFindings ignored;
  Settings settings = read(file.root(), file, &ignored);
  PrintIgnored(ignored);
  return settings;
}

}  // namespace

std::shared_ptr<const BackendConfig> LoadBackendConfig(const std::string& name_or_file) {
  if (IsBuiltInBackend(name_or_file)) {
    return BuiltInSettings(name_or_file).backend_config;
  }
  if (!fs::exists(name_or_file)) {
    throw InputError(
        "--config " + name_or_file, "no such config or file",
        fmt::format("a JSON file or one of {}", fmt::join(BuiltInBackendNames(), " ")));
  }
  return std::make_shared<BackendConfig>(
      ReadSettings(name_or_file, BackendConfigFromJson));
}

bool IsNamedMapping(const std::string& name_or_file) {
  return NamedQConfigMapping(name_or_file).has_value();
}

QConfigMapping LoadMapping(const std::string& name_or_file) {
  if (auto mapping = NamedQConfigMapping(name_or_file)) return std::move(*mapping);
  if (!fs::exists(name_or_file)) {
    throw InputError(
        "--mapping " + name_or_file, "no such mapping or file",
        fmt::format("a JSON file or one of {}", fmt::join(QConfigMappingNames(), " ")));
  }
  return ReadSettings(name_or_file, QConfigMappingFromJson);
}

QuantizationSettings LoadSettings(const ModelSource& source) {
  const std::shared_ptr<const BackendConfig> config = LoadBackendConfig(source.config);
  QuantizationSettings settings;
  settings.backend_config = config;
  settings.mode = source.mode;
  settings.is_qat = source.is_qat;
  settings.engine = source.engine;
  // A file that holds one of torch's configs gets that config's mapping too.
  const std::string backend = BackendOfDefaultMapping(config->name());
  if (!source.mapping.empty()) {
    settings.mapping = LoadMapping(source.mapping);
  } else if (source.is_qat) {
    settings.mapping = GetDefaultQatQConfigMapping(backend);
  } else {
    settings.mapping = GetDefaultQConfigMapping(backend);
  }
  if (!source.prepare_custom_config.empty()) {
    settings.prepare_custom_config =
        ReadSettings(source.prepare_custom_config, PrepareCustomConfigFromJson);
  }
  if (!source.convert_custom_config.empty()) {
    settings.convert_custom_config =
        ReadSettings(source.convert_custom_config, ConvertCustomConfigFromJson);
  }
  if (!source.state_dict.empty()) {
    settings.trained_state = ReadSafetensors(source.state_dict);
    settings.trained_state_file = source.state_dict;
  }
  return settings;
}

std::vector<Tensor> GoldenSamples(const Model& model) {
  // An input without rows (a number, a shared table) is a sample as it is, and then the
  // others are too: who can say which rows belong together?
  std::vector<Tensor> samples = model.calibration.at(0);
  const bool has_rows = std::all_of(samples.begin(), samples.end(), [&](const Tensor& x) {
    return x.rank() > 0 && x.dim(0) > 0 && x.dim(0) == samples[0].dim(0);
  });
  if (!has_rows) return samples;
  for (Tensor& sample : samples) sample = Rows(sample, 0, 1);
  return samples;
}

void RequireCalibration(const Model& model) {
  if (model.calibration.empty()) {
    throw InputError("command line", "no data",
                     "--calibration FILE with at least one tensor");
  }
}

Golden MakeGoldenOf(const Model& model, const QuantizationSettings& settings,
                    QuantizedModel quantized) {
  const std::vector<Tensor> samples = GoldenSamples(model);
  GoldenSource source = MakeGoldenSource(model.name, model.graph_file, settings,
                                         model.calibration, samples);
  source.fill = model.fill;
  return MakeModelGolden(std::move(source), quantized.reasons,
                         std::move(quantized.prepared.module),
                         std::move(quantized.reference), samples);
}

}  // namespace qconform
