// Per-model exceptions of convert: torch.ao.quantization.fx.custom_config.
#ifndef QCONFORM_REFERENCE_OBSERVE_CONVERT_CUSTOM_CONFIG_H_
#define QCONFORM_REFERENCE_OBSERVE_CONVERT_CUSTOM_CONFIG_H_

#include <string>
#include <vector>

#include "reference/ir/ordered_map.h"

namespace qconform {

struct ConvertCustomConfig {
  // Observed class -> quantized class, by the quantization type of the qconfig.
  OrderedMap<std::string> static_quantized_classes;
  OrderedMap<std::string> dynamic_quantized_classes;
  OrderedMap<std::string> weight_only_quantized_classes;
  std::vector<std::string> preserved_attributes;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_CONVERT_CUSTOM_CONFIG_H_
