// What the verbs that quantize take from the command line: a model with its data, a
// backend config, and a qconfig mapping; by name or by file.
#ifndef QCONFORM_CLI_MODEL_SOURCE_H_
#define QCONFORM_CLI_MODEL_SOURCE_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "datasets/catalogue.h"
#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/golden/golden.h"
#include "reference/golden/quantize_model.h"

namespace qconform {

struct ModelSource {
  std::string model;        // folder of a catalogued model
  std::string graph;        // or a *.graph.json of the user's
  std::string fill;         // its weights if it has none: a seeded_weights.h fill
  std::string calibration;  // its batches: a safetensors file as calibration_batches.h
  std::string config;       // built-in name or JSON file
  std::string mapping;      // name or JSON file; empty: the config's default mapping
  std::string prepare_custom_config;  // JSON files
  std::string convert_custom_config;
  std::string engine;      // empty: the config's own, else x86
  std::string state_dict;  // safetensors file of the prepared model
  bool is_qat = false;
  Mode mode = Mode::kTorch;
};

// Adds an option for what of ModelSource decides how the graph is prepared and converted.
void AddPreparationOptions(CLI::App& verb, ModelSource& source);

// Those, and what else it takes to make a golden: calibration, engine, state_dict.
void AddModelOptions(CLI::App& verb, ModelSource& source);

// The model folder, or the graph with its calibration batches and no evaluation data.
Model LoadModel(const ModelSource& source);

// A backend config by built-in name or from a file, whose ignored keys are printed.
// Throws InputError that lists the names.
std::shared_ptr<const BackendConfig> LoadBackendConfig(const std::string& name_or_file);

// Whether it is the name of one of torch's mappings (default_qconfig.h), which comes
// before a file of that name.
bool IsNamedMapping(const std::string& name_or_file);

// A qconfig mapping by name or from a file. Throws InputError that lists the names.
QConfigMapping LoadMapping(const std::string& name_or_file);

// All but the model; without --mapping torch's default one for the config, with --qat
// that for training.
QuantizationSettings LoadSettings(const ModelSource& source);

// What of the model's data a golden's values are computed on, a tensor a graph input: the
// first row of the first batch, or all of it where an input has other rows or none.
std::vector<Tensor> GoldenSamples(const Model& model);

// Throws InputError if there is no data: to calibrate with, and to compute a golden's
// values on.
void RequireCalibration(const Model& model);

// The golden of a quantized model, bound to what the model and the settings were.
Golden MakeGoldenOf(const Model& model, const QuantizationSettings& settings,
                    QuantizedModel quantized);

}  // namespace qconform

#endif  // QCONFORM_CLI_MODEL_SOURCE_H_
