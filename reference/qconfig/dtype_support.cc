#include "reference/qconfig/dtype_support.h"

#include "reference/ir/error.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {

bool IsSupportedByDTypeConfigs(const QConfigPointer& qconfig,
                               const std::vector<DTypeConfig>& dtype_configs) {
  for (const DTypeConfig& config : dtype_configs) {
    if (qconfig == nullptr) {
      throw PipelineError("AssertionError", "qconfig must be provided to extract dtypes");
    }
    const QConfigDTypes wanted = DTypesOf(*qconfig);
    const auto dtype = [](const DTypeWithConstraints& entry) {
      return entry.dtype.value_or(DType::kFloat32);
    };
    if (dtype(config.input_dtype) != *wanted.activation ||
        dtype(config.weight_dtype) != *wanted.weight) {
      continue;
    }
    const DType output = dtype(config.output_dtype);
    if (config.IsDynamic()) {
      if (wanted.is_dynamic && output == DType::kFloat32) return true;
      continue;
    }
    const bool half =
        wanted.activation == DType::kFloat16 && wanted.weight == DType::kFloat16;
    if (!config.unchecked_bias.empty()) continue;
    const DType bias = half ? DType::kFloat16 : DType::kFloat32;
    if (output == *wanted.activation &&
        config.bias_dtype.value_or(DType::kFloat32) == bias) {
      return true;
    }
  }
  return false;
}

}  // namespace qconform
