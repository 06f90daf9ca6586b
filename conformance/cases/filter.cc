#include "conformance/cases/filter.h"

#include <algorithm>

#include "conformance/cases/suite_row.h"

namespace qconform {
namespace {

std::vector<std::string> SplitAtColons(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t colon = text.find(':');
    if (colon != 0) parts.emplace_back(text.substr(0, colon));
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  return parts;
}

bool AnyMatches(const std::vector<std::string>& patterns, std::string_view id) {
  const std::string_view without_seed = WithoutDataSeed(id);
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return MatchesWildcard(pattern, id) || MatchesWildcard(pattern, without_seed);
  });
}

}  // namespace

Filter::Filter(std::string_view text) {
  const size_t minus = text.find('-');
  positive_ = SplitAtColons(text.substr(0, minus));
  if (minus != std::string_view::npos) negative_ = SplitAtColons(text.substr(minus + 1));
  if (positive_.empty()) positive_.emplace_back("*");
}

bool Filter::Selects(std::string_view id) const {
  return AnyMatches(positive_, id) && !AnyMatches(negative_, id);
}

bool MatchesWildcard(std::string_view pattern, std::string_view text) {
  // On a mismatch go back to the last star and let it take one character more.
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;
  size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace qconform
