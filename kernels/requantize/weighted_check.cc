#include "kernels/requantize/weighted_check.h"

#include <optional>

#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {

std::string CheckWeighted(const qc_descriptor& descriptor, std::string& scheme) {
  qc_descriptor any = descriptor;
  any.scheme = nullptr;
  std::string reason;
  if (!DefinesOperator(any, &reason)) return reason;
  const qc_tensor& y = *descriptor.outputs[0];
  if (IsQuantized(y) && !IsCode8(y)) return "output codes are neither u8 nor s8";
  if (descriptor.attributes->residual != 0) {
    const qc_tensor& residual = *descriptor.inputs[3];
    const bool codes = IsCode8(residual) && residual.quantized_axis < 0;
    if (!codes && !IsReal(residual))
      return "the residual is neither u8 or s8 per tensor nor f32";
  }
  const std::string asked = descriptor.scheme == nullptr ? "" : descriptor.scheme;
  scheme = ScalarScheme(asked.empty() ? any : descriptor);
  if (scheme == kRealSchemeName) return "";
  const std::optional<Scheme> parsed = ParseScheme(scheme);
  if (parsed && !parsed->copy && !IsRealScheme(*parsed)) return "";
  return "schemes are those of accumulators and " + std::string(kRealSchemeName);
}

bool CentredWeightIsByte(const qc_tensor& weight) {
  const int32_t middle = weight.dtype == QC_S8 ? 0 : 128;
  if (weight.zero_point == nullptr) return middle == 0;
  for (int64_t i = 0; i < weight.qparam_count; ++i)
    if (weight.zero_point[i] != middle) return false;
  return true;
}

}  // namespace qconform::kernels
