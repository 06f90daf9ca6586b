// Plain C++, since nothing is computed: layout/code_move.cc.
#include <memory>
#include <vector>

#include "kernels/backend/code_check.h"
#include "kernels/movement/move_plan.h"
#include "reference/numerics/scalar_operator.h"

namespace qconform::kernels {
namespace {

// Every scheme of the definition: it fills the tables that rescale.
std::string Check(const qc_descriptor& descriptor, std::string& scheme) {
  std::string reason;
  if (!DefinesOperator(descriptor, &reason)) return reason;
  for (int i = 0; i < descriptor.input_count; ++i) {
    if (!IsCodePerTensor(*descriptor.inputs[i]))
      return "input " + std::to_string(i) + " is not u8 or s8 per tensor";
  }
  if (!IsCodePerTensor(*descriptor.outputs[0]))
    return "the output is not u8 or s8 per tensor";
  scheme = ScalarScheme(descriptor);
  return "";
}

std::unique_ptr<OperatorPlan> Plan(const PlanRequest& request, std::string&) {
  const qc_descriptor& descriptor = request.descriptor;
  const qc_tensor& y = *descriptor.outputs[0];
  const auto axis = static_cast<int>(descriptor.attributes->axis);
  auto plan = std::make_unique<MovePlan>(request);
  int64_t offset = 0;
  for (int i = 0; i < descriptor.input_count; ++i) {
    const qc_tensor& x = *descriptor.inputs[i];
    std::vector<CodeMove::Axis> axes;
    for (int d = 0; d < x.rank; ++d)
      axes.push_back({x.shape[d], x.stride[d], y.stride[d]});
    plan->Add(i, CodeMove(axes, 0, offset * y.stride[axis]),
              RescaledCodes(x, y, request.scheme));
    offset += x.shape[axis];
  }
  return plan;
}

}  // namespace

const KernelFamily& ConcatFamily() {
  static constexpr KernelFamily kFamily{Check, Plan};
  return kFamily;
}

}  // namespace qconform::kernels
