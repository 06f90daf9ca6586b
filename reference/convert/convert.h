// Graph with observers in, quantized reference graph out: torch.ao.quantization.
// quantize_fx's convert_to_reference_fx.
#ifndef QCONFORM_REFERENCE_CONVERT_CONVERT_H_
#define QCONFORM_REFERENCE_CONVERT_CONVERT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "reference/convert/custom_conversion.h"
#include "reference/ir/ordered_map.h"
#include "reference/observe/convert_custom_config.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/qconfig_mapping.h"

namespace qconform {

struct ConvertOptions {
  // Operators of quantized_decomposed over plain integer tensors in place of quantized
  // tensors. (_convert_to_reference_decomposed_fx)
  bool is_decomposed = false;
  Mode mode = Mode::kTorch;
  // May only turn settings of prepare off.
  std::optional<QConfigMapping> qconfig_mapping;
  // torch.backends.quantized.engine: fbgemm and x86 give dynamic quantization a reduced
  // range.
  std::string engine = "x86";
  // Default: prepare's.
  std::shared_ptr<const BackendConfig> backend_config;
  ConvertCustomConfig custom_config;
  // By observed class; they come before those of extensions. Without one, a module whose
  // class custom_config names changes its class and takes "scale" and "zero_point" of its
  // output as attributes.
  OrderedMap<CustomConversion> custom_conversions;
  // Done to the converted graph of each standalone module: ConvertToNative lowers there.
  std::function<GraphModule(GraphModule reference, const Prepared& prepared,
                            const ConvertOptions& options)>
      finish_standalone;
};

// The qconfig of every node of the prepared graph, as convert's own mapping leaves it;
// nullptr is None. Throws PipelineError if that mapping changes more than it may.
std::unordered_map<std::string, QConfigPointer> ConvertedQConfigs(
    const Prepared& prepared, const ConvertOptions& options = {});

// Observers become pairs of quantize and dequantize, weighted modules become their
// reference modules, and what nothing uses is dropped. `prepared` is not changed.
// Throws PipelineError where torch refuses.
GraphModule ConvertToReference(const Prepared& prepared,
                               const ConvertOptions& options = {});

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONVERT_CONVERT_H_
