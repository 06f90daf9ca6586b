// First contact with a backend: is it loadable and sane?
#ifndef QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_
#define QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_

#include <string>
#include <vector>

#include "conformance/verdict/case_source.h"

namespace qconform {

enum class CheckResult { kOk, kWarn, kFail };

struct DoctorCheck {
  std::string name;  // abi, identity, declares, runs, twice, bounds, quiet
  std::string text;
  CheckResult result = CheckResult::kOk;
};

// Declared rows, then one small operator that the backend accepts, on zeros, ones and a
// ramp: right numbers, the same on a second call, no stray access, nothing printed.
std::vector<DoctorCheck> Examine(const Subject& subject);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_
