#include "conformance/verdict/levels.h"

#include <algorithm>

namespace qconform {
namespace {

constexpr int kAccurate = 0;
constexpr int kBounded = 1;
constexpr int kExactAsDeclared = 2;
constexpr int kExact = 3;
constexpr int kProved = 4;

struct Seen {
  int lowest = kProved;
  bool proved = false;
  bool failed = false;
};

}  // namespace

int LevelOf(const CaseRecord& record) {
  if (record.verdict == Verdict::kPassScheme) return kExactAsDeclared;
  if (record.verdict != Verdict::kPass) return -1;
  const bool whole = !record.domain.empty() && record.differing_elements == 0;
  if (whole) return kProved;
  if (record.bound.empty()) return kExact;
  return record.accuracy.contains("noise_codes") ? kAccurate : kBounded;
}

std::map<std::string, int> LevelsOf(const std::vector<CaseRecord>& records) {
  std::map<std::string, Seen> operators;
  for (const CaseRecord& record : records) {
    if (record.kind.empty() || record.verdict == Verdict::kRefused) continue;
    // A whole program is judged by its nodes.
    if (IsPassed(record) && record.level < 0) continue;
    // A known failure is no pass either.
    Seen& seen = operators[record.kind];
    seen.failed |= !IsPassed(record);
    seen.proved |= record.level == kProved;
    seen.lowest = std::min(seen.lowest, record.level);
  }
  std::map<std::string, int> levels;
  for (const auto& [name, seen] : operators) {
    if (seen.failed) continue;
    levels[name] = seen.proved && seen.lowest >= kExact ? kProved : seen.lowest;
  }
  return levels;
}

}  // namespace qconform
