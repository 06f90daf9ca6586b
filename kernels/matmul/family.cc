#include "kernels/backend/code_check.h"
#include "kernels/backend/operator_plan.h"
#include "kernels/matmul/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  for (const qc_tensor* tensor :
       {descriptor.inputs[0], descriptor.inputs[1], descriptor.outputs[0]}) {
    if (!IsCodePerTensor(*tensor) && !IsReal(*tensor))
      return "a matrix is neither u8 or s8 per tensor nor f32";
  }
  scheme = ScalarScheme(descriptor);
  return CheckRealScheme(scheme);
}

}  // namespace

const KernelFamily& MatmulFamily() {
  static constexpr KernelFamily kFamily{Check, MatmulPlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
