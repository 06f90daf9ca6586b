#include "reference/config/config_finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reference/ir/nearest_name.h"

namespace qconform {

std::string ToText(const ConfigFinding& finding) {
  return finding.where + ": " + finding.what + ", expected " + finding.expected;
}

void FindUnknownKeys(const ordered_json& object, std::string_view holder,
                     std::span<const std::string> known, const JsonOrigin& origin,
                     ConfigFindings* findings) {
  if (findings == nullptr || !object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    std::string expected = NearestName(key, known);
    if (expected.empty()) {
      expected = fmt::format("one of {}", fmt::join(known, ", "));
    } else {
      expected = "'" + expected + "'";
    }
    findings->push_back(
        {origin.Of(value),
         fmt::format("unknown key '{}' of {} is ignored", key.substr(0, 80), holder),
         std::move(expected)});
  }
}

}  // namespace qconform
