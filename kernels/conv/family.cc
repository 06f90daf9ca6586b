#include "kernels/conv/plan.h"
#include "kernels/conv/weighted_family.h"
#include "kernels/requantize/weighted_check.h"

namespace qconform::kernels {

const KernelFamily& ConvFamily() {
  static constexpr KernelFamily kFamily{CheckWeighted, PlanWeighted<ConvPlan>};
  return kFamily;
}

}  // namespace qconform::kernels
