#include "kernels/backend/operator_plan.h"
#include "kernels/linear/plan.h"
#include "kernels/requantize/weighted_check.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  const std::string objection = CheckWeighted(descriptor, scheme);
  if (!objection.empty()) return objection;
  const qc_tensor& x = *descriptor.inputs[0];
  const qc_tensor& w = *descriptor.inputs[1];
  const qc_tensor& y = *descriptor.outputs[0];
  bool fit = w.rank == 2 && x.rank >= 1 && y.rank == x.rank &&
             x.shape[x.rank - 1] == w.shape[1] && y.shape[y.rank - 1] == w.shape[0];
  for (int i = 0; fit && i + 1 < x.rank; ++i) fit = x.shape[i] == y.shape[i];
  return fit ? "" : "shapes of input, weight and output do not fit a linear layer";
}

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string& reason) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor* weight = request.Constant(1);
  const bool has_bias = descriptor.input_count > 2 && descriptor.inputs[2] != nullptr;
  const qc_tensor* bias = has_bias ? request.Constant(2) : nullptr;
  if (weight == nullptr || (has_bias && bias == nullptr)) {
    reason = "weight and bias must be constants";
    return nullptr;
  }
  return LinearPlan::Make(descriptor, *weight, bias, request.scheme == kBiasS32Scheme,
                          request.path, request.kernels, request.threads, reason);
}

}  // namespace

const KernelFamily& LinearFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
