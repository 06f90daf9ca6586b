#include "kernels/backend/code_check.h"
#include "kernels/elementwise/plan.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  if (!IsCodePerTensor(*descriptor.inputs[0]) ||
      !IsCodePerTensor(*descriptor.outputs[0]) ||
      (descriptor.input_count > 1 && descriptor.inputs[1] != nullptr &&
       !IsCodePerTensor(*descriptor.inputs[1]))) {
    return "inputs and output are not all u8 or s8 per tensor";
  }
  if (descriptor.attributes->activation > QC_ACTIVATION_CLAMP) {
    return "only relu, relu6 and clamp can be fused";
  }
  scheme = ScalarScheme(descriptor);
  return CheckRealScheme(scheme);
}

}  // namespace

const KernelFamily& ElementwiseFamily() {
  static constexpr KernelFamily kFamily{Check, ElementwisePlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
