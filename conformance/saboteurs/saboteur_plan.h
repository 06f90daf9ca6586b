// What the parts of a saboteur share: the plan, and who computes what.
#ifndef QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_
#define QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/adapters/owned_descriptor.h"
#include "conformance/saboteurs/fault.h"
#include "kernels/abi/qconform_backend.h"

namespace saboteur {

struct Plan {
  qconform::OwnedDescriptor call;
  qc_attributes attributes = {};
  int32_t kind = 0;
  qc_tensor x = {}, w = {}, y = {};  // of a convolution or linear; they point into `call`
  bool own_arithmetic = false;
  bool has_bias = false, bias_is_f32 = false, bias_s32_scheme = false;
  std::vector<int8_t> weights = {};
  std::vector<float> scale = {}, weight_scale = {}, bias_f32 = {};
  std::vector<int32_t> weight_zero = {}, bias_s32 = {};
  std::vector<int64_t> scratch = {};  // one a channel
  const void* kept = nullptr;         // what a backend must not keep
  std::vector<uint8_t> first_result = {};
  int32_t threads = 1;
  int number = 0;  // counted from 1 in this process
  int calls = 0;
};

inline int64_t Count(const qc_tensor& t) {
  int64_t count = 1;
  for (int i = 0; i < t.rank; ++i) count *= t.shape[i];
  return count;
}

inline bool IsCode(int32_t dtype) { return dtype == QC_U8 || dtype == QC_S8; }

inline int64_t ItemBytes(const qc_tensor& t) {
  return IsCode(t.dtype) ? 1 : t.dtype == QC_S64 ? 8 : 4;
}

// From the first to the end of the last element.
inline int64_t ByteExtent(const qc_tensor& t) {
  int64_t extent = ItemBytes(t);
  for (int i = 0; i < t.rank; ++i) extent += (t.shape[i] - 1) * t.stride[i];
  return extent;
}

inline int32_t ZeroPoint(const qc_tensor& t, int64_t i = 0) {
  const bool absent = t.zero_point == nullptr && kFault != Fault::needs_zero_points;
  return absent ? 0 : t.zero_point[t.quantized_axis < 0 ? 0 : i];
}

// Faults of a cache of plans whose key lacks one parameter: saboteur_cache.cc. Of own
// arithmetic, before PlanWeights.
void PlanFromCache(Plan& plan, const qc_tensor* const* constants);

// Convolution and linear in arithmetic of our own: saboteur_convolution.cc.
void PlanWeights(Plan& plan, const qc_tensor* const* constants);
void RunWeights(Plan& plan, const qc_tensor& x, qc_tensor& y);

// Strides as the fault reads them: saboteur_strides.cc. `misread` holds what is seen of
// the first two inputs.
void MisreadInputs(std::vector<const qc_tensor*>& inputs,
                   std::array<qc_tensor, 2>& misread);
qc_tensor MisreadOutput(const qc_tensor& y);
void WriteIntoGap(const qc_tensor& y);

// Every other operator: the reference on a call that the fault has changed:
// saboteur_edits.cc.
qc_status RunEdited(Plan& plan, const qc_tensor* const* inputs,
                    qc_tensor* const* outputs);

// Computes the call whole, if the fault is one of this operator's values:
// saboteur_values.cc.
bool RunFaultyValues(const Plan& plan, const std::vector<const qc_tensor*>& inputs,
                     qc_tensor& y);

// Faults beside the arithmetic, before and after it: saboteur_manners.cc. Before says
// whether the run is over already.
bool MisbehaveBefore(Plan& plan, qc_status& status);
void MisbehaveAfter(Plan& plan, const qc_tensor* const* inputs, qc_tensor* const* outputs,
                    void* workspace);
// Faults in what the process shares: saboteur_process.cc.
void HarmInQuery(const qc_descriptor& descriptor);
void HarmInPlan(Plan& plan, const qc_descriptor& descriptor);
void HarmInRun(Plan& plan);
// The path that plan names.
std::string ClaimedPath(const Plan& plan);

}  // namespace saboteur

#endif  // QCONFORM_CONFORMANCE_SABOTEURS_SABOTEUR_PLAN_H_
