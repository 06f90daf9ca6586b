#include "conformance/verdict/judge_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "conformance/compare/bound.h"
#include "conformance/compare/exact.h"
#include "conformance/compare/explain.h"

namespace qconform {
namespace {

constexpr double kRoundingNoise = 1.0 / 12;

std::string SchemeLine(const CaseRecord& record) {
  return record.scheme_declared.empty()
             ? "declares no scheme"
             : "declares the scheme '" + record.scheme_declared +
                   "', which has no definition for it";
}

// The exact comparison's reasons, which hold here as well, behind `first`.
void Fail(const OperatorCall& call, const std::vector<Bytes>& want, const FormatRun& run,
          const std::string& first, const Difference& difference, CaseRecord& record) {
  record.verdict = Verdict::kFail;
  record.phase = "run";
  Explanation explanation = Explain(call, call.scheme, run.outputs, want, difference);
  record.cause = explanation.cause;
  if (record.cause.empty()) record.cause = "outside the error bound";
  record.details = {first + " (" + MemoryFormatName(run.format) + ")"};
  std::move(explanation.lines.begin() + 1, explanation.lines.end(),
            std::back_inserter(record.details));
  record.details.push_back(SchemeLine(record) + ", judged by " +
                           (record.bound.empty() ? "equality" : record.bound));
}

void JudgeAccuracy(const OperatorCall& call, const std::vector<Bytes>& want,
                   const FormatRun& run, const BoundComparison& comparison,
                   const Difference& difference, CaseRecord& record) {
  record.accuracy["noise_codes"] = std::sqrt(comparison.noise);
  if (comparison.noise <= kRoundingNoise) return;
  record.wrong_elements = difference.wrong;
  Fail(call, want, run,
       fmt::format(
           "{} of {} sets hold every code; by accuracy the codes are {:.2g} off in "
           "the root of the mean square, more than the rounding itself, {:.2g}",
           comparison.unbounded, comparison.elements, std::sqrt(comparison.noise),
           std::sqrt(kRoundingNoise)),
       difference, record);
  record.cause = "accuracy";
}

}  // namespace

void JudgeWithinBound(const OperatorCall& call, const std::vector<Bytes>& want,
                      const FormatRun& run, CaseRecord& record) {
  const Difference difference = CompareExactly(call.outputs, run.outputs, want);
  record.elements = std::max(record.elements, difference.elements);
  if (difference.equal()) {
    if (record.bound.empty()) record.bound = BoundTextOf(call);
    return;
  }
  std::string objection;
  const auto comparison = CompareWithinBound(call, run.outputs, want, objection);
  if (!comparison) {
    record.wrong_elements = difference.wrong;
    return Fail(call, want, run, "no bound can be derived: " + objection, difference,
                record);
  }
  record.bound = BoundText(*comparison);
  if (!comparison->holds()) {
    record.wrong_elements = comparison->outside;
    Fail(call, want, run, comparison->first, difference, record);
    record.details.insert(record.details.begin() + 1,
                          fmt::format("{} of {} elements lie outside of their sets",
                                      comparison->outside, comparison->elements));
    return;
  }
  record.differing_elements = std::max(record.differing_elements, comparison->differing);
  if (comparison->unbounded > 0)
    JudgeAccuracy(call, want, run, *comparison, difference, record);
}

}  // namespace qconform
