#include "kernels/activation/affine_channels.h"
#include "kernels/activation/channel_tables.h"
#include "kernels/activation/guess.h"
#include "kernels/backend/code_check.h"
#include "reference/numerics/abi_tensor.h"

namespace qconform::kernels {
namespace {

std::unique_ptr<OperatorPlan> Make(const PlanRequest& request, std::string& reason) {
  const KeptConstants operands(request);
  if (!operands.complete()) {
    return ChannelTablePlan::Make(request, ElementCount(*request.descriptor.inputs[1]),
                                  reason);
  }
  return AffineChannelsPlan::Make(request, operands,
                                  GuessOf(request.descriptor, operands), reason);
}

}  // namespace

const KernelFamily& ActivationFamily() {
  static constexpr KernelFamily kFamily{CheckCodes, Make};
  return kFamily;
}

}  // namespace qconform::kernels
