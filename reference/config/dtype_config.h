// Which dtypes an operator may have: torch.ao.quantization.backend_config's
// DTypeWithConstraints and DTypeConfig.
#ifndef QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_
#define QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>

#include "reference/ir/dtype.h"

namespace qconform {

// Whether the zero point is fixed to the middle of the range.
enum class QSchemeConstraint { kSymmetric, kAffine };
// How many scales a tensor has: one, or one a channel.
enum class Granularity { kPerTensor, kPerChannel };

// "symmetric" or "affine"; "per_tensor" or "per_channel".
constexpr const char* Name(QSchemeConstraint qscheme) {
  return qscheme == QSchemeConstraint::kSymmetric ? "symmetric" : "affine";
}
constexpr const char* Name(Granularity granularity) {
  return granularity == Granularity::kPerTensor ? "per_tensor" : "per_channel";
}

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
  // Beyond torch, which has no way to say them: enforced in strict mode only, in torch
  // mode a finding. Absent: anything is allowed.
  std::optional<QSchemeConstraint> qscheme;
  std::optional<Granularity> granularity;
  // With per channel granularity: the axis of the channels.
  std::optional<int64_t> channel_axis;

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
  // torch does not check that a bias dtype is one: the text of one that is none. It is
  // written back, and no bias has it.
  std::string unchecked_bias = {};

  bool IsDynamic() const { return is_dynamic.value_or(false); }
  bool operator==(const DTypeConfig&) const = default;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_DTYPE_CONFIG_H_
