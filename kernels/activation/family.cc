#include "kernels/activation/affine_channels.h"
#include "kernels/activation/channel_tables.h"
#include "kernels/activation/guess.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  if (!IsCode8(x) || x.quantized_axis >= 0) return "the input is not u8 or s8 per tensor";
  if (!IsCode8(y) || y.quantized_axis >= 0)
    return "the output is not u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  return "";
}

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
  static constexpr KernelFamily kFamily{Check, Make};
  return kFamily;
}

}  // namespace qconform::kernels
