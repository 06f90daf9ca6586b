#include "conformance/verdict/judge_relation.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/declared_row.h"
#include "conformance/compare/exact.h"
#include "conformance/verdict/judge.h"

namespace qconform {
namespace {

// One of the two calls, judged by everything but its numbers.
struct JudgedCall {
  CallOutcome outcome;
  bool ended = false;  // the record's verdict is final
};

JudgedCall JudgeCall(const ConformanceCase& c, const Subject& subject, const char* which,
                     CaseRecord& record) {
  JudgedCall judged;
  const std::string row =
      subject.config == nullptr ? "" : DeclaredRow(*subject.config, c.call);
  judged.outcome = CallWorker(subject, c.call);
  judged.ended = JudgeBeforeOutputs(c, row, judged.outcome, subject.identity, record);
  if (!judged.ended) {
    const auto& runs = judged.outcome.reply.runs;
    judged.ended = std::any_of(runs.begin(), runs.end(), [&](const FormatRun& run) {
      return JudgeRun(run, record);
    });
  }
  if (judged.ended) record.details.push_back(fmt::format("in the {} call", which));
  return judged;
}

void Break(const ConformanceCase& c, const Relation& relation,
           const std::vector<CallTensor>& outputs, const FormatRun& run,
           const OutputBytes& want, CaseRecord& record) {
  const Difference difference = CompareExactly(outputs, run.outputs, want);
  record.elements = std::max(record.elements, difference.elements);
  if (difference.equal()) return;
  const size_t o = difference.output;
  record.verdict = Verdict::kFail;
  record.phase = "run";
  record.cause = "relation " + c.relation;
  record.wrong_elements = difference.wrong;
  record.details.push_back(fmt::format(
      "relation {} does not hold ({}): {} is {} in the second call and {} by the first "
      "({})",
      relation.name, relation.text, ElementName(outputs[o], o, difference.index),
      ElementAt(outputs[o], run.outputs[o], difference.index),
      ElementAt(outputs[o], want[o], difference.index), MemoryFormatName(run.format)));
  record.details.push_back(fmt::format("{} of {} elements differ, by {} at most",
                                       difference.wrong, difference.elements,
                                       difference.largest));
}

}  // namespace

CaseRecord RunRelationCase(const ConformanceCase& c, const Relation& relation,
                           const Subject& subject) {
  CaseRecord record;
  const JudgedCall first = JudgeCall(c, subject, "first", record);
  if (first.ended) return record;
  ConformanceCase second = c;
  const OutputBytes& outputs = first.outcome.reply.runs[0].outputs;
  second.call = relation.follow(c.call, outputs);
  const OutputBytes want = relation.expect(c.call, outputs);
  const std::string kind = record.kind;
  const double seconds = record.seconds;
  const std::string bits = record.bits;
  record = {};
  const JudgedCall other = JudgeCall(second, subject, "second", record);
  record.kind = kind;
  record.seconds += seconds;
  // The first call's: those of a case without the relation.
  record.bits = bits;
  if (other.ended) return record;
  record.verdict = Verdict::kPass;
  for (const FormatRun& run : other.outcome.reply.runs) {
    Break(c, relation, second.call.outputs, run, want, record);
    if (record.verdict == Verdict::kFail) break;
  }
  return record;
}

}  // namespace qconform
