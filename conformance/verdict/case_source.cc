#include "conformance/verdict/case_source.h"

#include "conformance/cases/declared_row.h"
#include "conformance/host/plugin.h"
#include "conformance/verdict/judge.h"

namespace qconform {

CaseRecord RunOperatorCase(const ConformanceCase& c, const Subject& subject) {
  const std::string row =
      subject.config == nullptr ? "" : DeclaredRow(*subject.config, c.call);
  CallOutcome outcome;
  try {
    outcome = subject.worker.Call(c.call);
  } catch (const BackendError& error) {
    outcome.end = CallEnd::kCrashed;
    outcome.phase = "load";
    outcome.signal = "not loadable any more";
    outcome.printed = error.what();
  }
  return Judge(c, row, outcome, subject.identity);
}

}  // namespace qconform
