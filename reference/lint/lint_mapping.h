// Judges a qconfig mapping, alone or beside the backend config that it goes with.
#ifndef QCONFORM_REFERENCE_LINT_LINT_MAPPING_H_
#define QCONFORM_REFERENCE_LINT_LINT_MAPPING_H_

#include "reference/config/backend_config.h"
#include "reference/formats/json_file.h"
#include "reference/lint/finding.h"

namespace qconform {

// In the order of the file, levels first. `config`: also what this backend config has no
// pattern for; may be nullptr. Throws InputError where the file is no mapping.
LintFindings LintMapping(const JsonFile& file, const BackendConfig* config = nullptr);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_LINT_MAPPING_H_
