// What a black box does beyond the range of codes: bounds, fused ReLU, values that no
// 32-bit integer holds, infinities and NaN.
#ifndef QCONFORM_CONFORMANCE_PROBE_SATURATION_H_
#define QCONFORM_CONFORMANCE_PROBE_SATURATION_H_

#include <string>
#include <vector>

#include "conformance/probe/chosen_accumulators.h"
#include "conformance/probe/probe_report.h"
#include "conformance/probe/questioner.h"

namespace qconform {

// Lines "clamp", "relu", "beyond s32" and "NaN". What the backend refuses says so.
// `forms`: at least one; `exact_up_to`: accumulators that are right.
std::vector<ProbeLine> FindSaturation(const std::vector<ProbeForm>& forms,
                                      int64_t exact_up_to, Questioner& questioner);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_PROBE_SATURATION_H_
