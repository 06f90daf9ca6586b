#include "kernels/backend/operator_plan.h"
#include "kernels/conv/geometry.h"
#include "kernels/conv/plan.h"
#include "kernels/requantize/weighted_check.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason = CheckWeighted(descriptor, scheme);
  if (!reason.empty()) return reason;
  const qc_attributes& a = *descriptor.attributes;
  if (a.spatial_rank < 1 || a.spatial_rank > 2) {
    return "convolution has a kernel for one or two spatial dimensions only";
  }
  if (a.padding_mode != QC_PADDING_ZEROS) return "only padding with zeros";
  ConvGeometry geometry;
  ReadConvGeometry(descriptor, geometry, reason);
  return reason;
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
  return ConvPlan::Make(descriptor, *weight, bias, request.scheme == kBiasS32Scheme,
                        request.path, request.kernels, request.threads, reason);
}

}  // namespace

const KernelFamily& ConvFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
