#include "conformance/contract/kernel/kernel_cases.h"

#include <fmt/format.h>

#include <set>
#include <unordered_map>

#include "conformance/cases/contract_cells.h"
#include "conformance/cases/declared_row.h"
#include "conformance/compare/reference_outputs.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel/kernel_steps.h"
#include "conformance/contract/kernel/live_call.h"
#include "conformance/contract/kernel/row_calls.h"
#include "conformance/contract/row_words.h"
#include "conformance/verdict/run_undeclared.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

CaseRecord NoCase(const OperatorCall* call, const std::string& why) {
  CaseRecord record;
  if (call != nullptr) record.kind = OperatorName(call->kind, call->attributes);
  record.verdict = Verdict::kRefused;
  record.phase = "contract";
  record.reason = kNoCase + why;
  return record;
}

ConformanceCase CaseOf(const KernelStep& step) {
  ConformanceCase c;
  c.call = step.call;
  // Whether it is accepted, and saturates as it has to, is all that there is to see.
  c.literal = step.saturates;
  return c;
}

// Who says what is declared: the subject's own config first, then the one that asks.
const BackendConfig* DeclaringConfig(const OperatorCall& call,
                                     const BackendConfig& asking,
                                     const Subject& subject) {
  if (subject.own_config != nullptr && !DeclaredRow(*subject.own_config, call).empty())
    return subject.own_config;
  return DeclaredRow(asking, call).empty() ? nullptr : &asking;
}

CaseRecord RunDeclared(const KernelStep& step, const BackendConfig& declaring,
                       const Subject& subject) {
  ConformanceCase c = CaseOf(step);
  const auto want = ReferenceOutputs(step.call, step.call.scheme);
  if (!want) {
    return NoCase(&step.call,
                  "the reference has no definition: " + ReferenceObjection(step.call));
  }
  c.want = *want;
  CaseRecord record = RunOperatorCase(c, {subject.worker, subject.identity, &declaring});
  // The subject itself never said that it does this.
  const bool may_refuse =
      subject.own_config != nullptr && subject.own_config != &declaring;
  if (may_refuse && record.verdict == Verdict::kRefused) {
    record.row.clear();
    record.cause.clear();
    record.details.clear();
  }
  return record;
}

CaseRecord RunStep(const KernelStep& step, const BackendConfig& asking,
                   const Subject& subject) {
  const BackendConfig* declaring = DeclaringConfig(step.call, asking, subject);
  CaseRecord record = declaring == nullptr ? RunUndeclared(CaseOf(step), subject)
                                           : RunDeclared(step, *declaring, subject);
  record.cells = CellsOf(asking, step.call);
  return record;
}

class Expansion {
 public:
  Expansion(std::shared_ptr<const BackendConfig> config,
            const KernelContractOptions& options)
      : config_(std::move(config)), options_(options), name_(ContractName(*config_)) {}

  std::vector<CaseSource> Take() {
    for (const ContractCase& c : ExpandContract(*config_)) {
      if (c.about == "satisfied" && c.dtype_config != nullptr) AddRow(c);
    }
    if (options_.every_row) CheckRows();
    return std::move(sources_);
  }

 private:
  void AddRow(const ContractCase& c) {
    const std::string operator_name = OperatorOfPattern(PatternOf(*c.entry));
    const std::string dtypes = DTypeWords(*c.dtype_config);
    std::string group = name_ + "/contract/" + operator_name + "/" + dtypes;
    // The same dtypes may stand under several bounds.
    std::vector<const DTypeConfig*>& there = dtype_configs_[group];
    for (const DTypeConfig* other : there) {
      if (*other == *c.dtype_config) return;
    }
    const RowCall found = SmallestCall(c, config_);
    const std::string row = c.row + " " + dtypes;
    if (const ExemptRow* exempt = Exemption(c.row, operator_name, dtypes)) {
      if (found.call) stale_.insert(row + " has a case");
      const std::string why = exempt->reason + " (row " + c.row + ")";
      Add(c.group, "satisfied", [why](const Subject&) { return NoCase(nullptr, why); });
      return;
    }
    if (!found.call) {
      uncovered_.insert(row + ": " + found.why_not);
      return;
    }
    there.push_back(c.dtype_config);
    if (there.size() > 1) group += fmt::format(".{}", there.size());
    for (KernelStep& step : KernelSteps(*found.call, *c.dtype_config)) {
      if (step.scale_of) {
        step.saturates = !KeepLive(*c.dtype_config, step.scale_of, step.call);
      }
      const std::string about = step.name;
      Add(group, about,
          [config = config_, step = std::move(step)](const Subject& subject) {
            return RunStep(step, *config, subject);
          });
    }
  }

  const ExemptRow* Exemption(const std::string& row, const std::string& operator_name,
                             const std::string& dtypes) {
    if (const auto* known =
            FindExemption(BuiltInExemptRows(), row, operator_name, dtypes))
      return known;
    const auto* mine = FindExemption(options_.exempt, row, operator_name, dtypes);
    if (mine != nullptr) used_.insert(mine);
    return mine;
  }

  void CheckRows() const {
    if (!uncovered_.empty()) {
      throw InputError(name_,
                       fmt::format("rows without a case for a kernel backend: {}",
                                   fmt::join(uncovered_, "; ")),
                       "an operator of the ABI, or the row in --exempt");
    }
    std::set<std::string> stale = stale_;
    for (const ExemptRow& each : options_.exempt) {
      if (!used_.contains(&each)) stale.insert(each.row + " is no row that needs it");
    }
    if (!stale.empty()) {
      throw InputError(name_, fmt::format("stale exemptions: {}", fmt::join(stale, "; ")),
                       "exempt rows that are there and have no case");
    }
  }

  void Add(const std::string& group, const std::string& about,
           const std::function<CaseRecord(const Subject&)>& run) {
    const std::string id = group + "/" + about;
    const std::string suite = name_ + "/contract";
    sources_.push_back({id, group, [=](const Subject& subject) {
                          CaseRecord record = run(subject);
                          record.id = id;
                          record.suite = suite;
                          record.group = group;
                          record.fill = about;
                          record.backend = subject.identity;
                          return record;
                        }});
  }

  const std::shared_ptr<const BackendConfig> config_;
  const KernelContractOptions& options_;
  const std::string name_;
  std::unordered_map<std::string, std::vector<const DTypeConfig*>> dtype_configs_;
  std::vector<CaseSource> sources_;
  std::set<std::string> uncovered_;
  std::set<std::string> stale_;
  std::set<const ExemptRow*> used_;
};

}  // namespace

std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config,
                                            const KernelContractOptions& options) {
  return Expansion(std::move(config), options).Take();
}

}  // namespace qconform
