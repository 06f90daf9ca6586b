#include "kernels/backend/code_check.h"
#include "kernels/movement/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

// Every scheme of the definition: it fills the table that rescales.
std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& y = *descriptor.outputs[0];
  if (!IsCode8(x)) return "the input is not u8 or s8";
  if (!IsCodePerTensor(y)) return "the output is not u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  return "";
}

}  // namespace

const KernelFamily& MovementFamily() {
  static constexpr KernelFamily kFamily{Check, PlanMovement};
  return kFamily;
}

}  // namespace qconform::kernels
