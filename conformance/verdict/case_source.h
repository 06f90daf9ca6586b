// A case that can be run by its id alone; its tensors exist only while it runs.
#ifndef QCONFORM_CONFORMANCE_VERDICT_CASE_SOURCE_H_
#define QCONFORM_CONFORMANCE_VERDICT_CASE_SOURCE_H_

#include <functional>
#include <string>

#include "conformance/cases/conformance_case.h"
#include "conformance/host/call_target.h"
#include "conformance/verdict/record.h"
#include "reference/config/backend_config.h"

namespace qconform {

// Who is judged, by what it declares.
struct Subject {
  CallTarget& worker;
  BackendIdentity identity;
  const BackendConfig* config = nullptr;  // nullptr: it declares nothing
  // What it declares by itself where `config` is another one.
  const BackendConfig* own_config = nullptr;
};

struct CaseSource {
  std::string id;
  std::string group;
  std::function<CaseRecord(const Subject&)> run;
  // So small that it may be made while another one runs. What `run` does before it first
  // calls the worker is then done on another thread.
  bool prepared_ahead = false;
};

// A backend that cannot be loaded any more is one that crashed.
CallOutcome CallWorker(const Subject& subject, const OperatorCall& call,
                       CallMode mode = CallMode::kJudge);

// Looks up the row, makes the call and judges it; of a metamorphic case both calls.
CaseRecord RunOperatorCase(const ConformanceCase& conformance_case,
                           const Subject& subject);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_VERDICT_CASE_SOURCE_H_
