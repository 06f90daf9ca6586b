#include "conformance/verdict/judge.h"

#include <algorithm>
#include <optional>

#include "conformance/compare/exact.h"
#include "conformance/compare/explain.h"
#include "conformance/verdict/judge_bound.h"
#include "reference/formats/sha256.h"
#include "reference/ir/nearest_name.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

// Of a question that is not the case's own.
std::string AskedText(const CallOutcome& outcome) {
  return outcome.asked.empty() ? "" : "; asked: " + outcome.asked;
}

// Anything that ended the call before it could answer.
bool JudgeEnd(const CallOutcome& outcome, CaseRecord& record) {
  switch (outcome.end) {
    case CallEnd::kReplied:
      return false;
    case CallEnd::kCrashed:
      record.verdict = Verdict::kCrash;
      record.signal = outcome.signal;
      record.details.push_back("the worker ended in " + outcome.phase + " (" +
                               outcome.signal + ")" + AskedText(outcome));
      break;
    case CallEnd::kHung:
      record.verdict = Verdict::kHang;
      record.signal = outcome.signal;
      record.details.push_back("no answer from " + outcome.phase +
                               " within the limit of " +
                               (outcome.signal.empty() ? "time" : "processor time"));
      if (outcome.shortened_limit_ms > 0) {
        record.details.back() += ", " + std::to_string(outcome.shortened_limit_ms) +
                                 " ms, as three calls of this operator in a row hung";
      }
      record.details.back() += AskedText(outcome);
      break;
    case CallEnd::kOutOfBounds:
      record.verdict = Verdict::kOutOfBounds;
      record.details.push_back(outcome.bounds);
      if (!outcome.asked.empty()) record.details.push_back("asked: " + outcome.asked);
      break;
  }
  record.phase = outcome.phase;
  return true;
}

bool JudgeRefusal(const CallReply& reply, CaseRecord& record) {
  if (reply.query_status != QC_OK) {
    record.verdict = Verdict::kFail;
    record.cause = "error status";
    record.phase = "query";
    record.details.push_back("query answers status " +
                             std::to_string(static_cast<int>(reply.query_status)));
    return true;
  }
  if (reply.supported) return false;
  record.verdict = Verdict::kRefused;
  record.phase = "query";
  record.reason = reply.reason.empty() ? "no reason given" : reply.reason;
  if (!record.row.empty()) {
    record.cause = "declared and refused";
    record.details.push_back("row " + record.row +
                             " declares it, query refuses: " + record.reason);
  }
  return true;
}

const std::vector<std::string>& SchemeNames() {
  static const auto* const names = [] {
    auto* built = new std::vector<std::string>;
    for (const Scheme& scheme : KnownSchemes()) built->push_back(SchemeName(scheme));
    built->emplace_back(kCopySchemeName);
    return built;
  }();
  return *names;
}

// A scheme promises bits. One that nobody can look up must not pass by a bound that is
// wider.
bool JudgeSchemeName(const std::string& scheme, CaseRecord& record) {
  if (scheme.empty() || ParseScheme(scheme)) return false;
  record.verdict = Verdict::kFail;
  record.cause = "unknown scheme";
  record.phase = "query";
  record.details.push_back("declares the scheme '" + scheme + "', which is none" +
                           NearestNameHint(scheme, SchemeNames()) +
                           "; who declares none is judged by the error bound");
  return true;
}

bool JudgeProblem(const FormatRun& run, CaseRecord& record) {
  const char* cause = "";
  switch (run.problem) {
    case RunProblem::kNone:
      return false;
    case RunProblem::kStatus:
      cause = "error status";
      break;
    case RunProblem::kBounds:
      break;
    case RunProblem::kUnwritten:
      cause = "unwritten output";
      break;
    case RunProblem::kRepeat:
      cause = "not repeatable";
      break;
    case RunProblem::kMisaligned:
      cause = "misaligned";
      break;
    case RunProblem::kThreads:
      cause = "two threads";
      break;
    case RunProblem::kPlans:
      cause = "another plan";
      break;
    case RunProblem::kAnswer:
      cause = "another answer";
      break;
    case RunProblem::kPath:
      cause = "path";
      break;
    case RunProblem::kFallback:
      break;
    case RunProblem::kEnvironment:
      cause = "floating point environment";
      break;
    case RunProblem::kLeak:
      cause = "kept";
      break;
    case RunProblem::kOutputFile:
      cause = "output file";
      break;
    case RunProblem::kInPlace:
      cause = "in place";
      break;
    case RunProblem::kThreadCount:
      cause = "thread count";
      break;
    case RunProblem::kSignal:
      cause = "signal handler";
      break;
    case RunProblem::kProcess:
      cause = "process state";
      break;
    case RunProblem::kUnknownValue:
      cause = "unknown value";
      break;
    case RunProblem::kSpelling:
      cause = "spelling";
      break;
    case RunProblem::kInvalidAnswer:
      cause = "invalid answer";
      break;
  }
  record.verdict = run.problem == RunProblem::kBounds     ? Verdict::kOutOfBounds
                   : run.problem == RunProblem::kFallback ? Verdict::kFallback
                                                          : Verdict::kFail;
  record.cause = cause;
  record.phase = run.phase;
  record.details.push_back(run.detail + " (" + MemoryFormatName(run.format) + ")");
  return true;
}

// What the outputs must equal: the case's own codes, or those of the scheme that the
// backend declares. Without a scheme that is known nothing is exact.
struct Expectation {
  std::string scheme;
  std::vector<Bytes> want;
  bool own_scheme = true;
  bool known = true;
};

Expectation ExpectationFor(const ConformanceCase& c, const std::string& declared) {
  Expectation expectation{c.call.scheme, c.want};
  if (declared == c.call.scheme) return expectation;
  std::optional<std::vector<Bytes>> outputs;
  if (!declared.empty()) outputs = ReferenceOutputs(c.call, declared);
  if (!outputs) {
    expectation.known = false;
    return expectation;
  }
  expectation.own_scheme = false;
  expectation.scheme = declared;
  expectation.want = std::move(*outputs);
  return expectation;
}

void Compare(const ConformanceCase& c, const Expectation& expectation,
             const FormatRun& run, CaseRecord& record) {
  record.scheme_compared = expectation.scheme;
  const Difference difference =
      CompareExactly(c.call.outputs, run.outputs, expectation.want);
  record.elements = std::max(record.elements, difference.elements);
  if (difference.equal()) return;
  record.verdict = Verdict::kFail;
  record.wrong_elements = difference.wrong;
  Explanation explanation =
      Explain(c.call, expectation.scheme, run.outputs, expectation.want, difference);
  record.cause = explanation.cause;
  record.phase = "run";
  record.details = std::move(explanation.lines);
  record.details[0] +=
      " (" + MemoryFormatName(run.format) +
      (run.threads > 1 ? ", planned for " + std::to_string(run.threads) + " threads)"
                       : ")");
}

// Short enough for a journal, long enough to tell two builds apart.
constexpr size_t kBitsDigits = 16;

std::string BitsOf(const FormatRun& run) {
  std::string bytes;
  for (const auto& output : run.outputs)
    bytes.append(reinterpret_cast<const char*>(output.data()), output.size());
  return Sha256Hex(bytes).substr(0, kBitsDigits);
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool JudgeBeforeOutputs(const ConformanceCase& c, const std::string& row,
                        const CallOutcome& outcome, const BackendIdentity& backend,
                        CaseRecord& record) {
  record.id = c.id;
  record.suite = c.suite;
  record.group = c.group;
  record.row = row;
  record.kind = OperatorName(c.call.kind, c.call.attributes);
  record.fill = c.fill;
  record.domain = c.domain;
  record.relation = c.relation;
  record.backend = backend;
  record.seconds = outcome.seconds;
  record.start_seconds = outcome.start_seconds;
  record.printed = FirstLine(outcome.printed);
  if (JudgeEnd(outcome, record)) return true;
  record.scheme_declared = outcome.reply.scheme;
  return JudgeRefusal(outcome.reply, record) ||
         JudgeSchemeName(outcome.reply.scheme, record);
}

bool JudgeRun(const FormatRun& run, CaseRecord& record) {
  const std::string format = MemoryFormatName(run.format);
  // The only one is run again, misaligned.
  if (record.memory_formats.empty() || record.memory_formats.back() != format)
    record.memory_formats.push_back(format);
  if (record.path.empty()) record.path = run.path;
  if (record.bits.empty()) record.bits = BitsOf(run);
  return JudgeProblem(run, record);
}

CaseRecord Judge(const ConformanceCase& c, const std::string& row,
                 const CallOutcome& outcome, const BackendIdentity& backend) {
  CaseRecord record;
  if (JudgeBeforeOutputs(c, row, outcome, backend, record)) return record;
  const CallReply& reply = outcome.reply;
  const Expectation expectation = ExpectationFor(c, reply.scheme);
  record.verdict = expectation.own_scheme ? Verdict::kPass : Verdict::kPassScheme;
  for (const FormatRun& run : reply.runs) {
    if (JudgeRun(run, record)) return record;
    if (run.outputs.size() != expectation.want.size()) {
      record.verdict = Verdict::kFail;
      record.cause = "missing output";
      return record;
    }
    if (expectation.known)
      Compare(c, expectation, run, record);
    else
      JudgeWithinBound(c.call, c.want, run, record);
    if (record.verdict == Verdict::kFail) return record;
  }
  // Every case of a process that printed while it loaded, so that repro says the same.
  const bool on_load = record.printed.empty();
  if (on_load) record.printed = FirstLine(outcome.printed_on_load);
  if (!record.printed.empty()) {
    record.verdict = Verdict::kFail;
    record.cause = "prints";
    record.details.push_back("prints '" + record.printed + "'" +
                             (on_load ? " while it is loaded" : ""));
    return record;
  }
  // A whole domain leaves nothing out; literal data were chosen with a fault in mind.
  if (!c.domain.empty() || c.literal) return record;
  if (const std::string why = ReasonForMistrust(c.call, expectation.want); !why.empty()) {
    record.verdict = Verdict::kMistrusted;
    record.cause = "tame data";
    record.details.push_back(why);
  }
  return record;
}

}  // namespace qconform
