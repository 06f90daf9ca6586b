#include "reference/backends/pattern_text.h"

#include <cassert>
#include <cctype>
#include <utility>
#include <vector>

namespace qconform {
namespace {

constexpr std::pair<std::string_view, std::string_view> kAbbreviations[] = {
    {"nn.", "torch.nn."},
    {"F.", "torch.nn.functional."},
    {"nni.", "torch.ao.nn.intrinsic."},
    {"nniqat.", "torch.ao.nn.intrinsic.qat."},
    {"nnqat.", "torch.ao.nn.qat."},
    {"nnqr.", "torch.ao.nn.quantized.reference."},
    {"nnq.", "torch.ao.nn.quantized."},
    {"nniq.", "torch.ao.nn.intrinsic.quantized."},
};

Pattern ParseAtom(std::string_view name) {
  if (name == "*") return Pattern::MatchAll();
  if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
    return Pattern::Literal(static_cast<int64_t>(std::stoll(std::string(name))));
  }
  return Pattern::FromName(FullName(name));
}

// Reads items up to the end or a closing parenthesis.
std::vector<Pattern> ParseItems(std::string_view& text) {
  std::vector<Pattern> items;
  while (!text.empty() && text[0] != ')') {
    if (text[0] == ' ') {
      text.remove_prefix(1);
    } else if (text[0] == '(') {
      text.remove_prefix(1);
      items.push_back(Pattern::Tuple(ParseItems(text)));
      assert(!text.empty());
      text.remove_prefix(1);
    } else {
      const size_t end = std::min(text.find_first_of(" ()"), text.size());
      items.push_back(ParseAtom(text.substr(0, end)));
      text.remove_prefix(end);
    }
  }
  return items;
}

}  // namespace

std::string FullName(std::string_view name) {
  for (const auto& [abbreviation, full] : kAbbreviations) {
    if (name.substr(0, abbreviation.size()) == abbreviation) {
      return std::string(full) + std::string(name.substr(abbreviation.size()));
    }
  }
  return std::string(name);
}

Pattern ParsePatternText(std::string_view text) {
  std::vector<Pattern> items = ParseItems(text);
  assert(text.empty() && !items.empty());
  return items.size() == 1 ? items[0] : Pattern::Tuple(std::move(items));
}

}  // namespace qconform
