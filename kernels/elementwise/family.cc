#include "kernels/elementwise/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  const auto is_code = [](const qc_tensor& tensor) {
    return IsCode8(tensor) && tensor.quantized_axis < 0;
  };
  if (!is_code(*descriptor.inputs[0]) || !is_code(*descriptor.outputs[0]) ||
      (descriptor.input_count > 1 && descriptor.inputs[1] != nullptr &&
       !is_code(*descriptor.inputs[1]))) {
    return "inputs and output are not all u8 or s8 per tensor";
  }
  if (descriptor.attributes->activation > QC_ACTIVATION_CLAMP) {
    return "only relu, relu6 and clamp can be fused";
  }
  scheme = ScalarScheme(descriptor);
  if (scheme != kRealSchemeName) return std::string("the scheme is ") + kRealSchemeName;
  return "";
}

}  // namespace

const KernelFamily& ElementwiseFamily() {
  static constexpr KernelFamily kFamily{Check, ElementwisePlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
