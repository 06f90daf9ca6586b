// What the parts of saboteur.cc share: the fault of this build, and the plan.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_

#include <cstdint>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace {

enum class Fault {
#define FAULT(name, verdict, cause, text) name,
#include "conformance/saboteurs/faults.inc"
#undef FAULT
};

constexpr Fault kFault = Fault::QCONFORM_FAULT;
struct Plan {
  qc_attributes attributes;
  int32_t kind;
  qc_tensor x, w, y;
  bool per_channel, has_bias, bias_is_f32, bias_s32_scheme;
  std::vector<int8_t> weights;
  std::vector<float> scale, weight_scale, bias_f32;
  std::vector<int32_t> weight_zero, bias_s32;
  std::vector<int64_t> scratch;  // one a channel
  const int8_t* kept;            // what a backend must not keep
  int calls;
};

int64_t Count(const qc_tensor& t) {
  int64_t count = 1;
  for (int i = 0; i < t.rank; ++i) count *= t.shape[i];
  return count;
}

int32_t ZeroPoint(const qc_tensor& t, int64_t i) {
  return t.zero_point == nullptr ? 0 : t.zero_point[t.quantized_axis < 0 ? 0 : i];
}

}  // namespace

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_
