#include "kernels/recurrent/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

constexpr int kFirstWeight = 3;

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  for (int i = kFirstWeight; i < descriptor.input_count; ++i) {
    const qc_tensor* const operand = descriptor.inputs[i];
    if (operand == nullptr || operand->rank != 2) continue;
    if (!IsCode8(*operand) || operand->quantized_axis > 0)
      return "a weight is not u8 or s8 per tensor or per gate";
  }
  scheme = ScalarScheme(descriptor);
  return "";
}

}  // namespace

const KernelFamily& RecurrentFamily() {
  static constexpr KernelFamily kFamily{Check, RecurrentPlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
