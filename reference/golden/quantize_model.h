// A float graph all the way to its reference graph and golden: prepare, calibrate,
// convert, lower, run. What `qconform quantize` does, without files.
#ifndef QCONFORM_REFERENCE_GOLDEN_QUANTIZE_MODEL_H_
#define QCONFORM_REFERENCE_GOLDEN_QUANTIZE_MODEL_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/config/mode.h"
#include "reference/config/mode_difference.h"
#include "reference/convert/convert.h"
#include "reference/convert/node_reason.h"
#include "reference/golden/golden.h"
#include "reference/ir/module.h"
#include "reference/ir/ordered_map.h"
#include "reference/ir/tensor.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare.h"
#include "reference/observe/prepare_custom_config.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

struct QuantizationSettings {
  std::shared_ptr<const BackendConfig> backend_config;
  QConfigMapping mapping;
  Mode mode = Mode::kTorch;
  bool is_qat = false;
  // torch.backends.quantized.engine; empty: EngineOf chooses.
  std::string engine;
  PrepareCustomConfig prepare_custom_config;
  ConvertCustomConfig convert_custom_config;
  // What training or calibration elsewhere left: the state_dict of the prepared model.
  // It takes the place of calibration.
  std::optional<OrderedMap<Tensor>> trained_state;
  std::string trained_state_file = "state";  // what errors call it
};

// The engine that convert runs for: the given one, else the config's name where that is
// an engine's (fbgemm, x86, qnnpack, onednn), else x86, which is torch's default.
std::string EngineOf(const QuantizationSettings& settings);

// What prepare takes of the settings.
PrepareOptions PrepareOptionsOf(const QuantizationSettings& settings);

// What convert takes of them; observed modules of torch.ao.nn.quantizable become
// quantized ones.
ConvertOptions ConvertOptionsOf(const QuantizationSettings& settings);

// The backend whose default mapping torch gives this config: its own name, or x86.
std::string BackendOfDefaultMapping(const std::string& config);

// A built-in config with torch's default mapping for it. Throws InputError for an
// unknown name; configs without a default mapping of their own take x86's.
QuantizationSettings BuiltInSettings(const std::string& config, Mode mode = Mode::kTorch);

struct QuantizedModel {
  Prepared prepared;  // observers have seen the data; after QAT in evaluation mode
  GraphModule reference;
  std::vector<NodeReason> reasons;  // a line a node of the float graph
  std::vector<std::string> unused_settings;
  // Where the other mode would do something else: what model and settings alone show,
  // and what only the data shows.
  ModeDifferences differences;
  ModeDifferences data_differences;
};

// Called before each calibration batch with its index and how many there are.
using CalibrationProgress = std::function<void(size_t index, size_t count)>;

// `calibration`: by batch, one tensor a graph input; for QAT they run in training mode,
// as training whose steps change no weight would, with dropout switched off (and left so:
// observe/dropout_off.h). Throws PipelineError where torch
// refuses, InputError where the graph cannot be run or the trained state is not that of
// the prepared graph.
QuantizedModel QuantizeModel(const GraphModule& float_module,
                             const QuantizationSettings& settings,
                             const std::vector<std::vector<Tensor>>& calibration,
                             const CalibrationProgress& progress = nullptr);

// What a golden of `model` is made from. `graph_file` is the float graph; its
// safetensors file, if there is one, counts as well.
GoldenSource MakeGoldenSource(const std::string& model,
                              const std::filesystem::path& graph_file,
                              const QuantizationSettings& settings,
                              const std::vector<std::vector<Tensor>>& calibration,
                              const std::vector<Tensor>& samples);

// MakeGolden with the patterns that the nodes matched.
Golden MakeModelGolden(GoldenSource source, const std::vector<NodeReason>& reasons,
                       GraphModule prepared, GraphModule reference,
                       const std::vector<Tensor>& samples);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_GOLDEN_QUANTIZE_MODEL_H_
