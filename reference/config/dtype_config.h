// Which dtypes an operator may have: torch.ao.quantization.backend_config's
// DTypeWithConstraints and DTypeConfig.
#ifndef QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_
#define QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_

#include <cstdint>
#include <optional>

#include "reference/ir/dtype.h"

namespace qconform {

// A dtype and the bounds on the observer that produces it. No dtype: anything
// is allowed.
struct DTypeWithConstraints {
  std::optional<DType> dtype;
  std::optional<int64_t> quant_min_lower_bound;
  std::optional<int64_t> quant_max_upper_bound;
  std::optional<double> scale_min_lower_bound;
  std::optional<double> scale_max_upper_bound;
  std::optional<double> scale_exact_match;
  std::optional<int64_t> zero_point_exact_match;

  DTypeWithConstraints() = default;
  DTypeWithConstraints(DType dtype) : dtype(dtype) {}  // NOLINT
  bool operator==(const DTypeWithConstraints&) const = default;
};

struct DTypeConfig {
  DTypeWithConstraints input_dtype;
  DTypeWithConstraints output_dtype;
  DTypeWithConstraints weight_dtype;
  std::optional<DType> bias_dtype;
  // Absent is written differently from false but means the same.
  std::optional<bool> is_dynamic;

  bool IsDynamic() const { return is_dynamic.value_or(false); }
  bool operator==(const DTypeConfig&) const = default;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_
