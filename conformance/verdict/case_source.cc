#include "conformance/verdict/case_source.h"

#include "conformance/cases/contract_cells.h"
#include "conformance/cases/declared_row.h"
#include "conformance/host/plugin.h"
#include "conformance/metamorphic/relation.h"
#include "conformance/verdict/judge.h"
#include "conformance/verdict/judge_relation.h"
#include "conformance/verdict/levels.h"
#include "conformance/verdict/run_undeclared.h"

namespace qconform {

CallOutcome CallWorker(const Subject& subject, const OperatorCall& call, CallMode mode) {
  try {
    return subject.worker.Call(call, mode);
  } catch (const BackendError& error) {
    CallOutcome outcome;
    outcome.end = CallEnd::kCrashed;
    outcome.phase = "load";
    outcome.signal = "not loadable any more";
    outcome.printed = error.what();
    return outcome;
  }
}

namespace {

// There are rows of the operator, and neither config has one for this call.
bool IsUndeclared(const OperatorCall& call, const Subject& subject) {
  const BackendConfig* own = subject.own_config;
  if (own != nullptr && !DeclaredRow(*own, call).empty()) return false;
  return subject.config != nullptr && HasOperator(*subject.config, call);
}

}  // namespace

CaseRecord RunOperatorCase(const ConformanceCase& c, const Subject& subject) {
  if (const Relation* relation = FindRelation(c.relation))
    return RunRelationCase(c, *relation, subject);
  const std::string row =
      subject.config == nullptr ? "" : DeclaredRow(*subject.config, c.call);
  if (c.only_declared && row.empty() && IsUndeclared(c.call, subject))
    return RunUndeclared(c, subject);
  const CallOutcome outcome = CallWorker(subject, c.call);
  const bool may_refuse =
      (c.foreign_scheme && !outcome.reply.supported) || outcome.reply.not_asked;
  CaseRecord record = Judge(c, may_refuse ? "" : row, outcome, subject.identity);
  record.level = LevelOf(record);
  if (subject.config != nullptr) record.cells = CellsOf(*subject.config, c.call);
  return record;
}

}  // namespace qconform
