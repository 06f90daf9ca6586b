// How often a case runs: smoke on every build, full before a release. Each tier
// contains the ones before it.
#ifndef QCONFORM_CONFORMANCE_CASES_TIER_H_
#define QCONFORM_CONFORMANCE_CASES_TIER_H_

#include <array>
#include <optional>
#include <string_view>

namespace qconform {

enum class Tier { kSmoke, kCi, kNightly, kFull };

inline constexpr std::array<std::string_view, 4> kTierNames = {"smoke", "ci", "nightly",
                                                               "full"};

inline std::optional<Tier> ParseTier(std::string_view name) {
  for (size_t i = 0; i < kTierNames.size(); ++i)
    if (kTierNames[i] == name) return static_cast<Tier>(i);
  return std::nullopt;
}

// Whether a selection up to `selected` holds a case of `tier`.
inline bool Contains(Tier selected, Tier tier) { return tier <= selected; }

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_TIER_H_
