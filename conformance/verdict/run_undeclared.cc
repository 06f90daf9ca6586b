#include "conformance/verdict/run_undeclared.h"

#include "conformance/verdict/judge.h"

namespace qconform {

CaseRecord RunUndeclared(const ConformanceCase& c, const Subject& subject) {
  const CallOutcome outcome = CallWorker(subject, c.call, CallMode::kOnce);
  CaseRecord record;
  if (JudgeBeforeOutputs(c, "", outcome, subject.identity, record)) {
    if (record.verdict == Verdict::kRefused) record.verdict = Verdict::kPass;
    return record;
  }
  record.phase = "query";
  record.verdict = Verdict::kFail;
  record.cause = "accepts what it does not declare";
  record.details = {std::string("no row of ") +
                    (subject.own_config == nullptr ? "the config" : "either config") +
                    " declares this call, and query accepts it"};
  return record;
}

}  // namespace qconform
