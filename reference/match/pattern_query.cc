#include "reference/match/pattern_query.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

#include "reference/backends/pattern_text.h"
#include "reference/config/backend_config_json.h"
#include "reference/config/literal_json.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr int kDeepest = kMaxJsonDepth;

class ShortForm {
 public:
  ShortForm(std::string_view text, const std::string& where)
      : text_(text), where_(where) {}

  Pattern Parse() {
    Pattern pattern = ParsePart(0);
    SkipSpaces();
    if (at_ < text_.size()) Refuse("the end of the pattern");
    return pattern;
  }

 private:
  [[noreturn]] void Refuse(const std::string& expected) const {
    const std::string rest(text_.substr(std::min(at_, text_.size())).substr(0, 20));
    throw InputError(where_,
                     "at character " + std::to_string(at_ + 1) + " found " +
                         (rest.empty() ? "the end" : "'" + rest + "'"),
                     expected);
  }

  void SkipSpaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    }
  }

  bool Accept(char c) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // As deep as a JSON pattern may nest.
  Pattern ParsePart(int depth) {
    if (!Accept('(')) return ParseAtom();
    if (depth >= kDeepest) Refuse("at most 64 levels");
    std::vector<Pattern> items;
    while (!Accept(')')) {
      items.push_back(ParsePart(depth + 1));
      if (Accept(',')) continue;
      if (!Accept(')')) Refuse("',' or ')'");
      break;
    }
    if (items.empty()) Refuse("at least one part between the parentheses");
    return Pattern::Tuple(std::move(items));
  }

  Pattern ParseAtom() {
    SkipSpaces();
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) Refuse("a closing quote");
      const std::string value(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return Pattern::Literal(value);
    }
    size_t end = at_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) ||
            std::string_view("._-+<>*").find(text_[end]) != std::string_view::npos)) {
      ++end;
    }
    if (end == at_) Refuse("a name, a number or '('");
    const std::string_view word = text_.substr(at_, end - at_);
    const std::optional<Argument> literal = LiteralWord(word);
    if (!literal && !IsName(word)) Refuse("a name, a number or '('");
    at_ = end;
    if (literal) return Pattern::Literal(*literal);
    return Pattern::FromName(FullName(word));
  }

  static bool IsName(std::string_view word) {
    return std::isalpha(static_cast<unsigned char>(word[0])) != 0 || word[0] == '_';
  }

  static std::optional<Argument> LiteralWord(std::string_view word) {
    if (word == "None") return Argument();
    if (word == "True") return Argument(true);
    if (word == "False") return Argument(false);
    const char* end = word.data() + word.size();
    int64_t integer = 0;
    if (auto [stop, error] = std::from_chars(word.data(), end, integer);
        error == std::errc() && stop == end) {
      return Argument(integer);
    }
    double real = 0;
    if (auto [stop, error] = std::from_chars(word.data(), end, real);
        error == std::errc() && stop == end && !IsName(word)) {
      return Argument(real);
    }
    return std::nullopt;
  }

  const std::string_view text_;
  const std::string& where_;
  size_t at_ = 0;
};

// What torch's `pattern` can hold: one operation, or two or three in order.
bool IsFlat(const Pattern& pattern) {
  if (!pattern.IsTuple()) return true;
  const std::vector<Pattern>& items = pattern.items();
  if (!items.empty() && items[0] == Pattern::Function("builtins.getattr")) return false;
  return (items.size() == 2 || items.size() == 3) &&
         std::all_of(items.begin(), items.end(), [](const Pattern& item) {
           return item.kind() == Pattern::Kind::kModule ||
                  item.kind() == Pattern::Kind::kFunction ||
                  item.kind() == Pattern::Kind::kMethod;
         });
}

// JSON and quotes can spell what no node has. As deep as a pattern may nest.
void RequireNames(const Pattern& pattern, const std::string& where) {
  if (pattern.IsTuple() ? pattern.items().empty() : pattern.HumanText() == "''") {
    throw InputError(where, "an empty name or tuple stands in the pattern",
                     "a name or a tuple of names");
  }
  for (const Pattern& item : pattern.items()) RequireNames(item, where);
}

// torch raises AssertionError for a getattr pattern that is no pair. As deep as a pattern
// may nest.
void CheckGetAttr(const Pattern& pattern, const std::string& where) {
  if (!pattern.IsTuple() || pattern.items().empty()) return;
  if (pattern.items()[0] == Pattern::Function("builtins.getattr") &&
      pattern.items().size() != 2) {
    throw InputError(
        where,
        "a getattr pattern of " + std::to_string(pattern.items().size()) + " parts",
        "(builtins.getattr, 'NAME')");
  }
  for (const Pattern& item : pattern.items()) CheckGetAttr(item, where);
}

}  // namespace

PatternQuery ReadPatternQuery(const std::string& text, const std::string& where,
                              std::optional<PatternOrder> order) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) {
    throw InputError(where, "the pattern is empty", "a name or a tuple of names");
  }
  Pattern pattern;
  const bool is_json = text[first] == '[' || text[first] == '{' || text[first] == '"';
  if (is_json) {
    const JsonFile file = JsonFile::Parse(text, where);
    const ordered_json* json = &file.root();
    if (json->is_object()) {
      if (const ordered_json* forward = FindValue(*json, "pattern")) {
        json = forward;
        order = PatternOrder::kForward;
      } else if (const ordered_json* stored =
                     FindValue(*json, "pattern_complex_format")) {
        json = stored;
        order = PatternOrder::kStored;
      }
    }
    pattern = PatternFromJson(*json, file);
  } else {
    pattern = ShortForm(text, where).Parse();
  }
  const PatternOrder read =
      order.value_or(IsFlat(pattern) ? PatternOrder::kForward : PatternOrder::kStored);
  RequireNames(pattern, where);
  CheckGetAttr(pattern, where);
  if (read == PatternOrder::kStored) return {pattern, read};
  try {
    return {ReversedNested(pattern), read};
  } catch (const PipelineError& error) {
    throw InputError(where, error.what());
  }
}

}  // namespace qconform
