#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reference/config/canonical_name.h"
#include "reference/ir/nearest_name.h"
#include "reference/lint/config_rules.h"
#include "reference/lint/known_names.h"

namespace qconform {
namespace {

void CollectAtoms(const Pattern& pattern, bool is_argument,
                  std::set<std::string>& names) {
  for (size_t i = 0; i < pattern.items().size(); ++i) {
    CollectAtoms(pattern.items()[i], is_argument || i > 0, names);
  }
  // A string inside a pattern may be a literal.
  if (pattern.kind() == Pattern::Kind::kMethod && is_argument) return;
  if (!pattern.name().empty()) names.insert(pattern.name());
}

// A name of torch that torch does not have can never be what was meant; a stranger's may.
void LintName(ConfigRows& rows, const ConfigRow& row, const ordered_json& at,
              const std::string& what, const std::string& name) {
  if (IsKnownOperation(name)) return;
  if (!IsTorchName(name)) return;
  rows.Add(LintSeverity::kError, "unknown_name", row, at, row.key.HumanText(),
           fmt::format("unknown {} '{}'{}", what, name.substr(0, 80),
                       NearestOperationHint(name)));
}

void LintInputTypes(ConfigRows& rows, const ConfigRow& row) {
  static const std::vector<std::string> known = {"weight", "bias", "input"};
  for (const auto& [name, index] : row.config.input_type_to_index) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    rows.Add(LintSeverity::kWarning, "unknown_name", row,
             ConfigRows::At(*row.json, {"input_type_to_index", name}),
             row.key.HumanText(),
             fmt::format("torch reads no input type '{}'{}", name.substr(0, 80),
                         NearestNameHint(name, known)));
  }
}

}  // namespace

void LintNames(ConfigRows& rows) {
  for (const ConfigRow& row : rows.rows()) {
    std::set<std::string> atoms;
    CollectAtoms(row.key, false, atoms);
    for (const std::string& name : atoms) {
      LintName(rows, row, ConfigRows::AtName(row, name), "operation", name);
    }
    const BackendPatternConfig& config = row.config;
    const std::pair<const char*, const std::string*> classes[] = {
        {"root_module", &config.root_module},
        {"qat_module", &config.qat_module},
        {"reference_quantized_module_for_root", &config.reference_quantized_module},
        {"fused_module", &config.fused_module}};
    for (const auto& [key, name] : classes) {
      if (name->empty()) continue;
      LintName(rows, row, ConfigRows::At(*row.json, {key}), key, *name);
    }
    LintInputTypes(rows, row);
  }
}

}  // namespace qconform
