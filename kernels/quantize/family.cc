#include "kernels/backend/code_check.h"
#include "kernels/quantize/dynamic_plan.h"
#include "kernels/quantize/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

bool HasKernel(const qc_tensor& tensor) {
  return IsReal(tensor) || IsCode8(tensor) ||
         (tensor.dtype == QC_S32 && IsQuantized(tensor));
}

// Of one code, per tensor: a table.
bool IsActivation(const qc_descriptor& descriptor) {
  return descriptor.kind == QC_REQUANTIZE && IsCodePerTensor(*descriptor.inputs[0]) &&
         IsCodePerTensor(*descriptor.outputs[0]);
}

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  if (IsActivation(descriptor)) return ActivationFamily().check(descriptor, scheme);
  scheme = ScalarScheme(descriptor);
  if (descriptor.kind == QC_DYNAMIC_QUANTIZE) return "";
  if (!HasKernel(*descriptor.inputs[0]) || !HasKernel(*descriptor.outputs[0]))
    return "codes are not u8, s8 or s32";
  return CheckRealScheme(scheme);
}

std::unique_ptr<OperatorPlan> Make(const PlanRequest& request, std::string& reason) {
  if (IsActivation(request.descriptor)) return ActivationFamily().plan(request, reason);
  if (request.descriptor.kind == QC_DYNAMIC_QUANTIZE)
    return DynamicQuantizePlan::Make(request, reason);
  return QuantizePlan::Make(request, reason);
}

}  // namespace

const KernelFamily& QuantizeFamily() {
  static constexpr KernelFamily kFamily{Check, Make};
  return kFamily;
}

}  // namespace qconform::kernels
