#include "kernels/activation/prelu.h"

#include <utility>

#include "kernels/activation/affine_channels.h"
#include "kernels/activation/channel_tables.h"
#include "kernels/backend/kept_constants.h"
#include "kernels/requantize/parameters.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {

std::unique_ptr<OperatorPlan> PlanPrelu(const PlanRequest& request, std::string& reason) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  const KeptConstants operands(request);
  if (!operands.complete()) {
    return ChannelTablePlan::Make(request, ElementCount(*request.descriptor.inputs[1]),
                                  reason);
  }
  const int32_t zero_x = ZeroPoint(x, 0) + (x.dtype == QC_S8 ? 128 : 0);
  const double zero_y = ZeroPoint(y, 0) + (y.dtype == QC_S8 ? 128 : 0);
  const double unit = static_cast<double>(Scale(x, 0)) / Scale(y, 0);
  AffineGuess guess;
  for (const float slope : ReadReal(*operands.Get(1, nullptr))) {
    guess.slope.push_back(static_cast<float>(slope * unit));
    guess.offset.push_back(static_cast<float>(zero_y - zero_x * (slope * unit)));
  }
  guess.threshold = zero_x;
  guess.upper_slope = static_cast<float>(unit);
  guess.upper_offset = static_cast<float>(zero_y - zero_x * unit);
  return AffineChannelsPlan::Make(request, operands, std::move(guess), reason);
}

}  // namespace qconform::kernels
