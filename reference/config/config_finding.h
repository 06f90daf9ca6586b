// What a reader of a config noticed and went on: torch ignores it too.
#ifndef QCONFORM_REFERENCE_CONFIG_CONFIG_FINDING_H_
#define QCONFORM_REFERENCE_CONFIG_CONFIG_FINDING_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/formats/json_file.h"

namespace qconform {

// One line each: "where: what, expected EXPECTED".
struct ConfigFinding {
  std::string where;     // "config.json:12"
  std::string what;      // "unknown key 'bias_type' of a dtype config is ignored"
  std::string expected;  // the nearest known key, else all known ones
  bool operator==(const ConfigFinding&) const = default;
};
using ConfigFindings = std::vector<ConfigFinding>;

std::string ToText(const ConfigFinding& finding);

// Adds a finding for each key of `object` that is not known. Nothing if `findings`
// is nullptr. `holder` names the object: "a dtype config".
void FindUnknownKeys(const ordered_json& object, std::string_view holder,
                     std::span<const std::string> known, const JsonOrigin& origin,
                     ConfigFindings* findings);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_CONFIG_CONFIG_FINDING_H_
