#include "kernels/backend/code_check.h"
#include "kernels/softmax/plan.h"

namespace qconform::kernels {
namespace {

std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  const std::string objection = CheckCodes(descriptor, scheme);
  if (!objection.empty()) return objection;
  return CheckRealScheme(scheme);
}

}  // namespace

const KernelFamily& SoftmaxFamily() {
  static constexpr KernelFamily kFamily{Check, SoftmaxPlan::Make};
  return kFamily;
}

}  // namespace qconform::kernels
