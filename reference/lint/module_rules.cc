#include <fmt/format.h>

#include <set>

#include "reference/config/backend_config_maps.h"
#include "reference/config/module_types.h"
#include "reference/lint/config_rules.h"
#include "reference/lint/known_names.h"

namespace qconform {
namespace {

bool IsQuantized(const std::optional<DType>& dtype) {
  return dtype && *dtype != DType::kFloat32;
}

// torch's float16 rows name a weight dtype for functions that have no weight, too.
bool TakesWeight(const std::string& function) {
  const std::string last = function.substr(function.rfind('.') + 1);
  for (const char* name : {"linear", "conv", "embedding", "bilinear"}) {
    if (last.rfind(name, 0) == 0) return true;
  }
  return false;
}

class ModuleRules {
 public:
  ModuleRules(ConfigRows& rows, const ConfigRow& row,
              const OrderedMap<std::string>& references)
      : rows_(rows), row_(row), config_(row.config), references_(references) {}

  void Run() {
    Reference();
    Qat();
    Weight();
    Observation();
    if (config_.dtype_configs.empty() && config_.fuser_method.empty()) {
      Add(LintSeverity::kWarning, "no_dtype_config", "",
          "no dtype config: nothing is supported, whatever matches stays float");
    }
  }

 private:
  void Add(LintSeverity severity, const char* kind, const char* key, std::string text,
           std::string strict = "") {
    rows_.Add(severity, kind, row_, ConfigRows::At(*row_.json, {key}),
              row_.key.HumanText(), std::move(text), std::move(strict));
  }

  void Reference() {
    const std::string& root = config_.root_module;
    if (!root.empty() && config_.reference_quantized_module.empty() &&
        !references_.Contains(root)) {
      Add(LintSeverity::kError, "root_without_reference", "root_module",
          fmt::format("no row names the reference module of {}: its weight stays float",
                      root));
    }
    if (root.empty() && !config_.reference_quantized_module.empty()) {
      Add(LintSeverity::kError, "reference_without_root",
          "reference_quantized_module_for_root",
          "a reference module without root_module is never used");
    }
  }

  void Qat() {
    if (config_.qat_module.empty()) return;
    if (row_.key.kind() != Pattern::Kind::kModule) {
      Add(LintSeverity::kWarning, "qat_module_unused", "qat_module",
          "only rows of a single module class are swapped for training; this "
          "qat_module never is");
      return;
    }
    const ModuleType* type = FindModuleType(config_.qat_module);
    if (type == nullptr || type->float_module.empty()) {
      // A stranger's class may be an extension's.
      Add(IsTorchName(config_.qat_module) ? LintSeverity::kError : LintSeverity::kWarning,
          "unknown_qat_module", "qat_module",
          fmt::format("{} is no QAT class that is known: preparing for training is "
                      "refused, unless an extension adds it as a qat_type",
                      config_.qat_module));
    } else if (type->float_module != row_.key.name()) {
      Add(LintSeverity::kError, "qat_module_of_another", "qat_module",
          fmt::format("{} is made from {}, not from this row's module: torch raises "
                      "AssertionError when it prepares for training",
                      config_.qat_module, type->float_module));
    }
    if (rows_.config().FindSingle(config_.qat_module) == nullptr) {
      Add(LintSeverity::kError, "qat_without_entry", "qat_module",
          fmt::format("for training the module becomes {}, which no row of its own "
                      "matches: it stays float",
                      config_.qat_module));
    }
  }

  void Weight() {
    bool wants_weight = false;
    for (const DTypeConfig& dtypes : config_.dtype_configs) {
      wants_weight = wants_weight || IsQuantized(dtypes.weight_dtype.dtype);
    }
    if (!wants_weight || !config_.fuser_method.empty()) return;
    const Pattern& root = RootAtom(row_.key);
    if (root.kind() == Pattern::Kind::kModule && config_.root_module.empty() &&
        !row_.key.IsTuple()) {
      const ModuleType* type = FindModuleType(root.name());
      const std::string weighted = type != nullptr && !type->weighted_module.empty()
                                       ? std::string(type->weighted_module)
                                       : root.name();
      if (!references_.Contains(weighted)) {
        Add(LintSeverity::kWarning, "weight_without_reference", "dtype_configs",
            fmt::format("a weight dtype, but no row names the reference module of {}: "
                        "its weight stays float",
                        weighted));
      }
    }
    if (root.kind() == Pattern::Kind::kFunction && TakesWeight(root.name())) {
      const BackendPatternConfig* single = rows_.config().FindSingle(root.name());
      bool indexed = false;
      if (single != nullptr) {
        for (const auto& [input, index] : single->input_type_to_index) {
          indexed = indexed || input == "weight";
        }
      }
      if (!indexed) {
        Add(LintSeverity::kError, "weight_not_indexed", "dtype_configs",
            fmt::format("a weight dtype, but no row of {} alone says in "
                        "input_type_to_index which argument is the weight: torch takes "
                        "it for an activation, unless it is given by keyword",
                        root.name()));
      }
    }
  }

  void Observation() {
    if (config_.observation_type == ObservationType::kInputOutputNotObserved &&
        !(row_.key == Pattern::Method("size")) &&
        !(row_.key == Pattern::Method("shape"))) {
      Add(LintSeverity::kWarning, "not_observed_ignored", "observation_type",
          "INPUT_OUTPUT_NOT_OBSERVED has no effect in torch: inputs and output are "
          "observed",
          "not observed");
    }
    const auto& counts = config_.num_tensor_args_to_observation_type;
    if (counts.empty()) return;
    for (int count = 0; count < counts.rbegin()->first; ++count) {
      if (counts.count(count) > 0) continue;
      Add(LintSeverity::kWarning, "tensor_count_missing",
          "num_tensor_args_to_observation_type",
          fmt::format("no observation type for {} tensor arguments: torch raises "
                      "AssertionError where that many come",
                      count));
      break;
    }
  }

  ConfigRows& rows_;
  const ConfigRow& row_;
  const BackendPatternConfig& config_;
  const OrderedMap<std::string>& references_;
};

}  // namespace

void LintModules(ConfigRows& rows) {
  const OrderedMap<std::string> references = RootModuleToReferenceModule(rows.config());
  for (const ConfigRow& row : rows.rows()) {
    if (row.InForce()) ModuleRules(rows, row, references).Run();
  }
}

}  // namespace qconform
