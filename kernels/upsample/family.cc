#include "kernels/upsample/interpolate_plan.h"
#include "kernels/upsample/nearest_plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"
#include "reference/numerics/scheme.h"

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
  // The nearest element is rescaled by the scalar definition's own table.
  if (descriptor.attributes->interpolation != QC_INTERPOLATION_NEAREST &&
      scheme != kRealSchemeName)
    return std::string("the scheme is ") + kRealSchemeName;
  return "";
}

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string&) {
  if (request.descriptor.attributes->interpolation == QC_INTERPOLATION_NEAREST)
    return std::make_unique<NearestPlan>(request);
  return std::make_unique<InterpolatePlan>(request);
}

}  // namespace

const KernelFamily& UpsampleFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
