// Judges a backend config or a qconfig mapping alone, without a model.
#ifndef QCONFORM_REFERENCE_LINT_LINT_CONFIG_H_
#define QCONFORM_REFERENCE_LINT_LINT_CONFIG_H_

#include "reference/formats/json_file.h"
#include "reference/lint/finding.h"

namespace qconform {

// In the order of the file. `built_in`: the text is our own print of a built-in config,
// so places are rows, not lines. Throws InputError where the file is no backend config.
LintFindings LintBackendConfig(const JsonFile& file, bool built_in = false);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_LINT_CONFIG_H_
