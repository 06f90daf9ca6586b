// The rules of lint, one file a subject; each adds its findings to the rows.
#ifndef QCONFORM_REFERENCE_LINT_CONFIG_RULES_H_
#define QCONFORM_REFERENCE_LINT_CONFIG_RULES_H_

#include "reference/lint/config_rows.h"

namespace qconform {

// Patterns that are replaced, shadowed or can never match a traced graph.
void LintPatterns(ConfigRows& rows);
// Fusers, fused classes, root and extra-input getters.
void LintFusion(ConfigRows& rows);
// Root, reference and QAT classes; observation types.
void LintModules(ConfigRows& rows);
// Bounds, exact values and dtypes of the dtype configs.
void LintConstraints(ConfigRows& rows);
// Combinations of dtypes that nothing can satisfy.
void LintDTypes(ConfigRows& rows);
// Names that nobody knows.
void LintNames(ConfigRows& rows);

// The operation that a fused or quantized match begins with: the last part of the
// stored pattern, followed down. What torch's default root getter finds.
const Pattern& RootAtom(const Pattern& key);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_CONFIG_RULES_H_
