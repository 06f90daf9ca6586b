#include "kernels/normalize/batch_norm.h"

#include <cmath>
#include <utility>

#include "kernels/activation/affine_channels.h"
#include "kernels/activation/channel_tables.h"
#include "kernels/backend/kept_constants.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

double ValueOf(const qc_tensor* tensor, int64_t channel, float fallback) {
  return tensor == nullptr ? fallback : static_cast<const float*>(tensor->data)[channel];
}

}  // namespace

std::unique_ptr<OperatorPlan> PlanBatchNorm(const PlanRequest& request,
                                            std::string& reason) {
  const qc_tensor& x = *request.descriptor.inputs[0];
  const qc_tensor& y = *request.descriptor.outputs[0];
  const int64_t channels = x.shape[1];
  const KeptConstants operands(request);
  if (!operands.complete()) return ChannelTablePlan::Make(request, channels, reason);
  const double zero_x = ZeroPointAt(x) + (x.dtype == QC_S8 ? 128 : 0);
  const double zero_y = ZeroPointAt(y) + (y.dtype == QC_S8 ? 128 : 0);
  AffineGuess guess;
  for (int64_t c = 0; c < channels; ++c) {
    const double variance = ValueOf(operands.Get(4, nullptr), c, 1.0f) +
                            static_cast<double>(request.descriptor.attributes->epsilon);
    const double a = ValueOf(operands.Get(1, nullptr), c, 1.0f) / std::sqrt(variance);
    const double b = ValueOf(operands.Get(2, nullptr), c, 0.0f) -
                     a * ValueOf(operands.Get(3, nullptr), c, 0.0f);
    const double slope = a * ScaleAt(x) / ScaleAt(y);
    guess.slope.push_back(static_cast<float>(slope));
    guess.offset.push_back(static_cast<float>(b / ScaleAt(y) + zero_y - zero_x * slope));
  }
  return AffineChannelsPlan::Make(request, operands, std::move(guess), reason);
}

}  // namespace qconform::kernels
