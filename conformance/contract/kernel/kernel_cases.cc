#include "conformance/contract/kernel/kernel_cases.h"

#include <fmt/format.h>

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

CaseRecord RunStep(const KernelStep& step, const BackendConfig& config,
                   const Subject& subject) {
  if (DeclaredRow(config, step.call).empty()) {
    CaseRecord record = RunUndeclared(CaseOf(step), subject);
    record.cells = CellsOf(config, step.call);
    return record;
  }
  ConformanceCase c = CaseOf(step);
  const auto want = ReferenceOutputs(step.call, step.call.scheme);
  if (!want) {
    return NoCase(&step.call,
                  "the reference has no definition: " + ReferenceObjection(step.call));
  }
  c.want = *want;
  return RunOperatorCase(c, {subject.worker, subject.identity, &config});
}

class Expansion {
 public:
  explicit Expansion(std::shared_ptr<const BackendConfig> config)
      : config_(std::move(config)), name_(ContractName(*config_)) {}

  std::vector<CaseSource> Take() {
    for (const ContractCase& c : ExpandContract(*config_)) {
      if (c.about == "satisfied" && c.dtype_config != nullptr) AddRow(c);
    }
    return std::move(sources_);
  }

 private:
  void AddRow(const ContractCase& c) {
    const std::string operator_name = OperatorOfPattern(PatternOf(*c.entry));
    std::string group =
        name_ + "/contract/" + operator_name + "/" + DTypeWords(*c.dtype_config);
    // The same dtypes may stand under several bounds.
    std::vector<const DTypeConfig*>& there = dtype_configs_[group];
    for (const DTypeConfig* other : there) {
      if (*other == *c.dtype_config) return;
    }
    const RowCall found = SmallestCall(c, config_);
    if (!found.call) {
      const std::string why = found.why_not + " (row " + c.row + ")";
      Add(c.group, "satisfied", [why](const Subject&) { return NoCase(nullptr, why); });
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
  const std::string name_;
  std::unordered_map<std::string, std::vector<const DTypeConfig*>> dtype_configs_;
  std::vector<CaseSource> sources_;
};

}  // namespace

std::vector<CaseSource> KernelContractCases(std::shared_ptr<const BackendConfig> config) {
  return Expansion(std::move(config)).Take();
}

}  // namespace qconform
