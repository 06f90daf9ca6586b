// First contact with a backend: is it loadable and sane?
#ifndef QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_
#define QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_

#include <optional>
#include <string>
#include <vector>

#include "conformance/verdict/case_source.h"

namespace qconform {

// kNotRun: the calls ended before it; nothing is known.
enum class CheckResult { kOk, kWarn, kFail, kNotRun };

struct DoctorCheck {
  std::string
      name;  // abi, identity, declares, runs, twice, threads, aligned, bounds, quiet
  std::string text;
  CheckResult result = CheckResult::kOk;
  std::string note = {};   // which rows
  std::string repro = {};  // id of the case that failed
};

// Declared rows, then one small operator that the backend accepts, on zeros, ones and a
// ramp: right numbers, the same on a second call, from two threads and in misaligned
// memory, no stray access, nothing printed. What some of the calls did not get to, as
// they crashed, say, is kNotRun.
std::vector<DoctorCheck> Examine(const Subject& subject);

// The case of one of its checks: "doctor/linear.../m1.k8.../ramp". nullopt: not its id.
std::optional<CaseSource> DoctorCase(const std::string& id);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_DOCTOR_H_
