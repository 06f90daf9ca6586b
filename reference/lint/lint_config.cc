#include "reference/lint/lint_config.h"

#include "reference/lint/config_rules.h"

namespace qconform {

const Pattern& RootAtom(const Pattern& key) {
  const Pattern* at = &key;
  while (at->IsTuple() && !at->items().empty()) at = &at->items().back();
  return *at;
}

LintFindings LintBackendConfig(const JsonFile& file, bool built_in) {
  ConfigRows rows(file, built_in);
  LintNames(rows);
  LintPatterns(rows);
  LintFusion(rows);
  LintModules(rows);
  LintConstraints(rows);
  LintDTypes(rows);
  return rows.TakeFindings();
}

}  // namespace qconform
