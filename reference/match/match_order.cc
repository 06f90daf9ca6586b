#include "reference/match/match_order.h"

#include <algorithm>

namespace qconform {
namespace {

using Entries = std::vector<const BackendConfig::Entry*>;

void SortEntries(Entries& entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const BackendConfig::Entry* a, const BackendConfig::Entry* b) {
                     return a->key.AtomCount() > b->key.AtomCount();
                   });
}

}  // namespace

std::vector<Pattern> SortedPatterns(std::vector<Pattern> patterns) {
  std::stable_sort(
      patterns.begin(), patterns.end(),
      [](const Pattern& a, const Pattern& b) { return a.AtomCount() > b.AtomCount(); });
  return patterns;
}

Entries QuantizationMatchOrder(const BackendConfig& config) {
  Entries entries;
  for (const BackendConfig::Entry& entry : config.entries()) entries.push_back(&entry);
  SortEntries(entries);
  return entries;
}

Entries FusionMatchOrder(const BackendConfig& config) {
  Entries entries;
  for (const BackendConfig::Entry& entry : config.entries()) {
    if (!entry.config.fuser_method.empty()) entries.push_back(&entry);
  }
  SortEntries(entries);
  return entries;
}

}  // namespace qconform
