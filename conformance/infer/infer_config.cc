#include "conformance/infer/infer_config.h"

#include <unordered_map>

#include "conformance/cases/declared_row.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel/row_calls.h"
#include "conformance/contract/kernel/shape_calls.h"
#include "conformance/contract/row_words.h"
#include "conformance/infer/bound_search.h"
#include "conformance/infer/tried_rows.h"

namespace qconform {
namespace {

class Inference {
 public:
  Inference(CallTarget& target, const InferOptions& options)
      : checker_(target, options.scheme) {}

  InferReport Take(const std::string& name, const std::vector<TriedRow>& rows) {
    report_.config.set_name(name);
    for (const TriedRow& row : rows) AddRow(row);
    report_.calls = checker_.calls();
    return std::move(report_);
  }

 private:
  void AddRow(const TriedRow& row) {
    BackendPatternConfig honoured = *row.row;
    honoured.dtype_configs.clear();
    const BackendConfig::Entry entry(row.row->InternalKey(), row.row);
    for (const TriedDTypes& dtypes : row.dtypes) {
      InferredRow result = Try(entry, dtypes);
      result.declared = dtypes.declared != nullptr;
      if (result.not_tried.empty() && result.answer.honour == Honour::kRight)
        honoured.dtype_configs.push_back(result.bounds);
      report_.rows.push_back(std::move(result));
    }
    if (row.dtypes.empty() || !honoured.dtype_configs.empty())
      report_.config.Set(std::move(honoured));
  }

  // Rows with the same operator and dtypes ask the same.
  InferredRow Try(const BackendConfig::Entry& entry, const TriedDTypes& dtypes) {
    const Pattern& pattern = PatternOf(entry);
    const std::string words = DTypeWords(dtypes.dtypes);
    std::string key = OperatorOfPattern(pattern) + "/" + words;
    if (dtypes.declared != nullptr) key += "/" + BoundsKey(*dtypes.declared);
    auto known = known_.find(key);
    if (known == known_.end()) known = known_.emplace(key, Ask(entry, dtypes)).first;
    InferredRow row = known->second;
    row.row = pattern.HumanText();
    row.dtypes = words;
    // Written as in this row: an absent is_dynamic means the same as false.
    row.bounds.is_dynamic = dtypes.dtypes.is_dynamic;
    return row;
  }

  // Bounds differ where the same dtypes are declared twice.
  std::string BoundsKey(const DTypeConfig& declared) {
    for (size_t i = 0; i < bounds_.size(); ++i)
      if (bounds_[i] == declared) return std::to_string(i);
    bounds_.push_back(declared);
    return std::to_string(bounds_.size() - 1);
  }

  InferredRow Ask(const BackendConfig::Entry& entry, const TriedDTypes& dtypes) {
    InferredRow row;
    row.bounds = dtypes.dtypes;
    // Without a graph of its own: torch's native operator of the same kind is asked.
    ContractCase c;
    c.entry = &entry;
    c.dtype_config = &dtypes.dtypes;
    c.build = [] { return ContractInput{}; };
    static const auto* const nothing =
        new std::shared_ptr<const BackendConfig>(std::make_shared<const BackendConfig>());
    const RowCall found = SmallestCall(c, *nothing);
    if (!found.call) {
      row.not_tried = found.why_not;
      return row;
    }
    InferredBounds bounds =
        FindBounds(*found.call, dtypes.dtypes, dtypes.declared, checker_);
    row.answer = bounds.answer;
    row.bounds = bounds.dtypes;
    row.notes = bounds.notes;
    if (row.answer.honour == Honour::kRight) JudgeRow(bounds.call, row);
    return row;
  }

  // What single calls of one small shape do not show. No config says anything of shapes:
  // that one of them is refused is a note.
  void JudgeRow(const OperatorCall& call, InferredRow& row) {
    row.answer = checker_.Judge(call);
    if (row.answer.honour != Honour::kRight) return;
    for (const ShapeCall& each : ShapeCalls(call, row.bounds)) {
      const CallAnswer answer = checker_.Judge(each.call);
      if (answer.honour == Honour::kRight) continue;
      const std::string text = each.name + ": " + answer.why;
      if (answer.honour == Honour::kRefused) {
        row.notes.push_back("refuses " + text);
      } else {
        row.answer = {answer.honour, text};
        return;
      }
    }
  }

  CallChecker checker_;
  InferReport report_;
  std::unordered_map<std::string, InferredRow> known_;
  std::vector<DTypeConfig> bounds_;
};

}  // namespace

InferReport InferConfig(CallTarget& target, const std::string& name,
                        const BackendConfig* declared, const InferOptions& options) {
  return Inference(target, options)
      .Take(name, RowsToTry(declared, options.only_declared));
}

}  // namespace qconform
