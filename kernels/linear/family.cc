#include "kernels/conv/weighted_family.h"
#include "kernels/linear/plan.h"
#include "kernels/requantize/weighted_check.h"

namespace qconform::kernels {

const KernelFamily& LinearFamily() {
  static constexpr KernelFamily kFamily{CheckWeighted, PlanWeighted<LinearPlan>};
  return kFamily;
}

}  // namespace qconform::kernels
