#include "reference/ir/nearest_name.h"

#include <algorithm>
#include <numeric>

namespace qconform {
namespace {

size_t EditDistance(const std::string& a, const std::string& b) {
  // row[j]: distance between the letters of a so far and the first j of b.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestName(const std::string& name, const std::vector<std::string>& known) {
  std::string nearest;
  size_t least = std::string::npos;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace qconform
