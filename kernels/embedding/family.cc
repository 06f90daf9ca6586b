#include "kernels/backend/code_check.h"
#include "kernels/embedding/plan.h"
#include "reference/numerics/abi_tensor.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

// Every scheme of the definition: outputs in codes are written by it.
std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  const qc_tensor& table = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  // No config has a name for s4.
  if (!IsReal(table) && !IsCode8(table) && table.dtype != QC_U4)
    return "the table is neither f32 nor u8, s8 or u4";
  if (!IsReal(y) && !IsCodePerTensor(y))
    return "the output is neither f32 nor u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  return "";
}

}  // namespace

const KernelFamily& EmbeddingFamily() {
  static constexpr KernelFamily kFamily{Check, EmbeddingPlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
