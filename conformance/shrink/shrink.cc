#include "conformance/shrink/shrink.h"

#include <algorithm>
#include <chrono>
#include <unordered_set>

#include "conformance/cases/call_draft.h"
#include "conformance/cases/row_operator.h"
#include "conformance/shrink/smaller_ids.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

bool HasEmptyTensor(const SuiteRow& row) {
  const CallDraft draft = RowOperatorOf(row, row.suite).draft(row);
  return std::any_of(draft.inputs.begin(), draft.inputs.end(),
                     [](const auto& input) {
                       return input && NumElements(input->tensor.shape) == 0;
                     }) ||
         std::any_of(
             draft.outputs.begin(), draft.outputs.end(),
             [](const CallTensor& output) { return NumElements(output.shape) == 0; });
}

class Search {
 public:
  Search(const RunById& run, const ShrinkBudget& budget, Shrunk& best)
      : run_(run),
        budget_(budget),
        best_(best),
        may_be_empty_(IsEmptyCase(best.id)),
        tried_({best.id}) {}

  // Whether the candidate fails in the same way; it is the best one then.
  bool Take(const std::string& candidate) {
    if (candidate.empty() || Spent()) return false;
    try {
      // The one spelling of its id.
      const SuiteRow row = RowFromId(candidate);
      const std::string id = IdOf(row);
      if (!tried_.insert(id).second) return false;
      // Nothing to compute fails for reasons of its own.
      if (!may_be_empty_ && HasEmptyTensor(row)) return false;
      CaseRecord record = run_(id);
      ++best_.candidates;
      if (record.verdict != best_.record.verdict || record.cause != best_.record.cause ||
          record.signal != best_.record.signal)
        return false;
      best_.id = id;
      best_.record = std::move(record);
      return true;
    } catch (const InputError&) {
      return false;  // no case at all
    }
  }

  // Takes smaller cases until there is none.
  void Descend() {
    bool smaller = true;
    while (smaller && !Spent()) {
      smaller = false;
      for (const std::string& id : SmallerIds(best_.id)) {
        if (!Take(id)) continue;
        smaller = true;
        break;
      }
    }
  }

 private:
  // False of what is no row, a golden's case, say.
  static bool IsEmptyCase(const std::string& id) {
    try {
      return HasEmptyTensor(RowFromId(id));
    } catch (const InputError&) {
      return false;
    }
  }

  bool Spent() {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    best_.out_of_time |= seconds > budget_.seconds;
    return best_.out_of_time || best_.candidates >= budget_.candidates;
  }

  const RunById& run_;
  const ShrinkBudget& budget_;
  Shrunk& best_;
  const bool may_be_empty_;
  std::unordered_set<std::string> tried_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

Shrunk ShrinkCase(const std::string& id, const std::string& suite, const RunById& run,
                  const ShrinkBudget& budget) {
  Shrunk best;
  best.id = id;
  best.record = run(id);
  if (!IsFailed(best.record)) {
    throw InputError(id,
                     "the case does not fail, its verdict is " +
                         std::string(VerdictName(best.record.verdict)),
                     "one that fails");
  }
  Search search(run, budget, best);
  const auto in_suite = [&] { return suite + best.id.substr(best.id.find('/')); };
  search.Take(in_suite());
  search.Descend();
  if (search.Take(WithLiteralCodes(best.id))) search.Descend();
  search.Take(in_suite());
  return best;
}

}  // namespace qconform
