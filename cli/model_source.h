// What the verbs that quantize take from the command line: a model with its data, a
// backend config, and a qconfig mapping; by name or by file.
#ifndef QCONFORM_CLI_MODEL_SOURCE_H_
#define QCONFORM_CLI_MODEL_SOURCE_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "datasets/catalogue.h"
#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/config/qconfig_mapping.h"
#include "reference/golden/golden.h"

namespace qconform {

struct ModelSource {
  std::string model;        // folder of a catalogued model
  std::string graph;        // or a *.graph.json of the user's
  std::string calibration;  // its batches, one a tensor, in a safetensors file
  std::string config;       // built-in name or JSON file
  std::string mapping;      // JSON file; empty: the config's default mapping
  Mode mode = Mode::kTorch;
};

// Adds --model, --graph, --calibration, --config, --mapping and --mode.
void AddModelOptions(CLI::App& verb, ModelSource& source);

// The model folder, or the graph with its calibration batches and no evaluation data.
Model LoadModel(const ModelSource& source);

struct LoadedConfig {
  std::shared_ptr<const BackendConfig> config;
  std::string name;
};
// Built-in name or file. Throws InputError that lists the names.
LoadedConfig LoadBackendConfig(const std::string& name_or_file);

// --mapping, or torch's default mapping for the config: its own for x86, fbgemm,
// qnnpack and onednn, that of fbgemm for the others.
QConfigMapping LoadMapping(const ModelSource& source, const LoadedConfig& config);

// What all of these were, with their digests.
GoldenSource DescribeSource(const ModelSource& source, const Model& model,
                            const LoadedConfig& config, const QConfigMapping& mapping);

}  // namespace qconform

#endif  // QCONFORM_CLI_MODEL_SOURCE_H_
