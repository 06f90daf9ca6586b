// Per-model exceptions of prepare: torch.ao.quantization.fx.custom_config.
#ifndef QCONFORM_REFERENCE_OBSERVE_PREPARE_CUSTOM_CONFIG_H_
#define QCONFORM_REFERENCE_OBSERVE_PREPARE_CUSTOM_CONFIG_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/ir/ordered_map.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

struct PrepareCustomConfig;

// A submodule that is prepared and converted by itself. Absent values are the
// parent's: its qconfig for the node as a global one, its backend config.
struct StandaloneModule {
  std::optional<QConfigMapping> qconfig_mapping;
  std::shared_ptr<const PrepareCustomConfig> prepare_custom_config;
  std::shared_ptr<const BackendConfig> backend_config;
};

struct PrepareCustomConfig {
  // By path and by class; the path wins.
  OrderedMap<StandaloneModule> standalone_module_names;
  OrderedMap<StandaloneModule> standalone_module_classes;
  // Float class -> observed class, by the quantization type of the qconfig.
  OrderedMap<std::string> static_observed_classes;
  OrderedMap<std::string> dynamic_observed_classes;
  OrderedMap<std::string> weight_only_observed_classes;
  // Only the tracer reads these: such modules arrive as leaves.
  std::vector<std::string> non_traceable_module_names;
  std::vector<std::string> non_traceable_module_classes;
  // Graph inputs that arrive as quint8, outputs that leave so.
  std::vector<int64_t> input_quantized_indexes;
  std::vector<int64_t> output_quantized_indexes;
  std::vector<std::string> preserved_attributes;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_PREPARE_CUSTOM_CONFIG_H_
