#include "reference/ir/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace qconform {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::string NearestName(std::string_view name, std::span<const std::string> candidates) {
  // Longer texts are no names; the distance costs the product of both lengths.
  constexpr size_t kLongestName = 200;
  if (name.size() > kLongestName) return "";
  const std::string lower = LowerCase(name);
  const std::string* nearest = nullptr;
  size_t least = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestName) continue;
    // No distance is less than the difference of the lengths.
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    if (2 * (longer - shorter) > longer) continue;
    if (nearest != nullptr && longer - shorter >= least) continue;
    const size_t distance = EditDistance(lower, LowerCase(candidate));
    if (2 * distance > longer) continue;
    if (nearest != nullptr && distance >= least) continue;
    nearest = &candidate;
    least = distance;
  }
  return nearest == nullptr ? "" : *nearest;
}

std::string NearestNameHint(std::string_view name,
                            std::span<const std::string> candidates) {
  const std::string nearest = NearestName(name, candidates);
  return nearest.empty() ? "" : ", nearest known name " + nearest;
}

}  // namespace qconform
