#include "conformance/contract/contract_case.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "conformance/contract/constraint_step.h"
#include "conformance/contract/row_words.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Rows that only fuse declare no dtypes; these fit most configs.
const DTypeConfig& UsualDTypes() {
  static const auto* const config =
      new DTypeConfig{DType::kQUInt8, DType::kQUInt8, DType::kQInt8, DType::kFloat32, {}};
  return *config;
}

QConfigMapping GlobalMapping(const QConfigPointer& qconfig) {
  QConfigMapping mapping;
  mapping.global = qconfig;
  return mapping;
}

// As RowNames spells it.
std::string RowText(const BackendConfig::Entry& entry) {
  return (entry.config.pattern ? *entry.config.pattern : entry.key).HumanText();
}

class Expansion {
 public:
  explicit Expansion(const BackendConfig& config)
      : config_(config), prefix_(ContractName(config) + "/contract/") {}

  std::vector<ContractCase> Take() {
    std::string failures;
    std::string first;
    for (const BackendConfig::Entry& entry : config_.entries()) {
      try {
        AddRow(entry);
      } catch (const InputError& error) {
        if (first.empty()) first = error.what();
        failures += (failures.empty() ? "" : ", ") + RowText(entry);
      }
    }
    if (!failures.empty()) {
      throw InputError(ContractName(config_),
                       "rows without a contract case: " + failures + "; " + first);
    }
    for (ContractCase& c : MappingCases(config_)) cases_.push_back(std::move(c));
    return std::move(cases_);
  }

 private:
  void AddRow(const BackendConfig::Entry& entry) {
    // Made now, so that a row without a graph is an error here.
    training_ = BuildPatternGraph(entry.key, Surroundings::kAlone).is_qat;
    const auto& dtypes = entry.config.dtype_configs;
    std::unordered_map<std::string, int> seen;
    for (const DTypeConfig& dtype : dtypes) {
      std::string words = DTypeWords(dtype);
      if (const int count = ++seen[words]; count > 1) words += fmt::format(".{}", count);
      AddDTypes(entry, &dtype, words, &dtype == &*dtypes.begin());
    }
    if (dtypes.empty()) AddDTypes(entry, nullptr, "fused", true);
  }

  void AddDTypes(const BackendConfig::Entry& entry, const DTypeConfig* dtype,
                 const std::string& words, bool first) {
    const DTypeConfig& used = dtype == nullptr ? UsualDTypes() : *dtype;
    for (const ConstraintStep& step : ConstraintSteps(used, training_)) {
      Add(entry, dtype, words, step.name, Surroundings::kAlone, step.qconfig, training_);
    }
    if (!training_) {
      Add(entry, dtype, words, "trained", Surroundings::kAlone,
          SatisfyingQConfig(used, true), true);
    }
    if (!first) return;
    const QConfigPointer satisfied = SatisfyingQConfig(used, training_);
    for (const Surroundings surroundings : SurroundingsOf(entry.key)) {
      if (surroundings == Surroundings::kAlone) continue;
      Add(entry, dtype, words, SurroundingsName(surroundings), surroundings, satisfied,
          training_);
    }
  }

  void Add(const BackendConfig::Entry& entry, const DTypeConfig* dtype,
           const std::string& words, const std::string& about, Surroundings surroundings,
           const QConfigPointer& qconfig, bool train) {
    ContractCase c;
    c.row = RowText(entry);
    c.group = prefix_ + PatternWords(entry.key) + "/" + words;
    c.about = about;
    c.id = c.group + "/" + about;
    c.dtype_config = dtype;
    c.entry = &entry;
    c.build = [&entry, surroundings, qconfig, train] {
      return ContractInput{BuildPatternGraph(entry.key, surroundings, train),
                           GlobalMapping(qconfig)};
    };
    cases_.push_back(std::move(c));
  }

  const BackendConfig& config_;
  const std::string prefix_;
  bool training_ = false;  // the row's classes stand only in graphs made for training
  std::vector<ContractCase> cases_;
};

}  // namespace

std::string ContractName(const BackendConfig& config) {
  return config.name().empty() ? "config" : IdWord(config.name());
}

bool IsContractId(const std::string& id) {
  const size_t slash = id.find('/');
  return slash != std::string::npos && id.compare(slash, 10, "/contract/") == 0;
}

std::vector<ContractCase> ExpandContract(const BackendConfig& config) {
  return Expansion(config).Take();
}

}  // namespace qconform
