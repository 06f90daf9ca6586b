// LINEAR, with codes or with a float input that is quantized at run time.
#include "reference/numerics/weighted_operator.h"

namespace qconform {
namespace {

std::string Check(const ScalarCall& call) {
  if (call.input(1) == nullptr) return "the weight is missing";
  ConvolutionPlan plan;
  const std::string objection = PlanLinear(call, plan);
  return objection.empty() ? CheckWeighted(call) : objection;
}

void Run(const ScalarCall& call) {
  ConvolutionPlan plan;
  PlanLinear(call, plan);
  RunWeighted(call, plan);
}

}  // namespace

const OperatorFamily& LinearFamily() {
  static constexpr OperatorFamily kFamily{Check, WeightedSchemes, Run};
  return kFamily;
}

}  // namespace qconform
