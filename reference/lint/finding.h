// What lint says of a config: one line each.
#ifndef QCONFORM_REFERENCE_LINT_FINDING_H_
#define QCONFORM_REFERENCE_LINT_FINDING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reference/config/mode.h"
#include "reference/formats/json_file.h"

namespace qconform {

enum class LintSeverity {
  kWarning,  // has no effect, or another one than it seems to have
  kError,    // can never work: nothing matches it, nothing satisfies it, or torch raises
};
const char* LintSeverityName(LintSeverity severity);

struct LintFinding {
  LintSeverity severity = LintSeverity::kWarning;
  std::string kind;     // "one_sided_bound"; README.md lists them
  std::string where;    // "my_npu.json:14"; "x86 row 3" of a built-in config
  std::string subject;  // "torch.nn.Linear input"
  std::string text;     // what is wrong and what torch does about it
  // What strict mode does instead; empty where both modes do the same.
  std::string strict;
};
using LintFindings = std::vector<LintFinding>;

// "my_npu.json:14  error  torch.nn.Linear input  quant_max ...  (strict: enforced)"
std::string ToText(const LintFinding& finding);
ordered_json LintFindingToJson(const LintFinding& finding);

// In torch mode all; in strict mode those that strict mode does not settle.
LintFindings FindingsIn(Mode mode, const LintFindings& findings);
bool HasErrors(const LintFindings& findings);
// "3 findings: 2 differ between --mode=torch and --mode=strict"
std::string LintSummary(const LintFindings& findings);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_FINDING_H_
