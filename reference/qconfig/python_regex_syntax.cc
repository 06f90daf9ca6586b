#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <string_view>

#include "reference/ir/error.h"
#include "reference/qconfig/python_regex.h"

namespace qconform {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsOctal(char c) { return c >= '0' && c <= '7'; }
bool IsHex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Translator {
 public:
  Translator(const std::string& text, const std::string& where)
      : text_(text), where_(where) {}

  PcreExpression Run() {
    GlobalFlags();
    while (at_ < text_.size()) {
      if (verbose_ && SkipVerbose()) continue;
      Item();
    }
    return {out_, ascii_};
  }

 private:
  // What stood last, as far as a repeat after it is concerned.
  enum class Last { kNothing, kPosition, kItem, kRepeat };

  [[noreturn]] void Refuse(const std::string& what) const {
    throw InputError(where_, fmt::format("{} at position {}", what, at_),
                     "a regular expression of Python");
  }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool Looking(std::string_view text) const {
    return text_.compare(at_, text.size(), text) == 0;
  }
  void Emit(std::string_view text, Last last) {
    out_ += text;
    last_ = last;
  }

  // "(?im)" at the start holds for the whole expression.
  void GlobalFlags() {
    while (Looking("(?")) {
      size_t end = at_ + 2;
      while (end < text_.size() && IsLetter(text_[end])) ++end;
      if (end == at_ + 2 || end >= text_.size() || text_[end] != ')') return;
      std::string kept;
      for (size_t i = at_ + 2; i < end; ++i) {
        const char flag = text_[i];
        if (flag == 'L')
          Refuse("bad inline flags: cannot use 'L' flag with a str pattern");
        if (std::string_view("aimsux").find(flag) == std::string_view::npos) {
          if (flag == 'P') return;
          Refuse("unknown flag");
        }
        if (flag == 'a') ascii_ = true;
        if (flag == 'x') verbose_ = true;
        if (flag == 'i' || flag == 'm' || flag == 's') kept += flag;
      }
      if (!kept.empty()) out_ += "(?" + kept + ")";
      at_ = end + 1;
    }
  }

  // Blanks and comments of a verbose expression.
  bool SkipVerbose() {
    if (std::isspace(static_cast<unsigned char>(Peek())) != 0) {
      ++at_;
      return true;
    }
    if (Peek() != '#') return false;
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    return true;
  }

  void Item() {
    const char c = Peek();
    switch (c) {
      case '\\':
        return Escape();
      case '[':
        return Class();
      case '(':
        return Open();
      case ')':
        ++at_;
        return Emit(")", Last::kItem);
      case '|':
        ++at_;
        return Emit("|", Last::kNothing);
      case '^':
      case '$':
        ++at_;
        return Emit(std::string_view(&c, 1), Last::kPosition);
      case '*':
      case '+':
      case '?':
        ++at_;
        return Repeat(std::string(1, c));
      case '{':
        return Braces();
      case '}':
      case ']':
      case '#':
        ++at_;
        return Emit(std::string("\\") + c, Last::kItem);
      default:
        ++at_;
        return Emit(std::string_view(&c, 1), Last::kItem);
    }
  }

  void Repeat(const std::string& repeat) {
    if (last_ == Last::kNothing || last_ == Last::kPosition) Refuse("nothing to repeat");
    if (last_ == Last::kRepeat) Refuse("multiple repeat");
    Emit(repeat, Last::kRepeat);
    // Lazy or possessive.
    if (Peek() == '?' || Peek() == '+') out_ += text_[at_++];
  }

  // "{2}", "{2,}", "{,3}", "{2,3}"; anything else is a brace.
  void Braces() {
    size_t at = at_ + 1;
    std::string low, high;
    while (at < text_.size() && IsDigit(text_[at])) low += text_[at++];
    bool comma = at < text_.size() && text_[at] == ',';
    if (comma) {
      ++at;
      while (at < text_.size() && IsDigit(text_[at])) high += text_[at++];
    }
    if (at >= text_.size() || text_[at] != '}' || (low.empty() && !comma)) {
      ++at_;
      return Emit("\\{", Last::kItem);
    }
    at_ = at + 1;
    if (low.empty()) low = "0";
    Repeat("{" + low + (comma ? "," + high : "") + "}");
  }

  // The digits of an escape as a code point in PCRE2's spelling.
  std::string CodePoint(size_t digits) {
    std::string hex;
    for (size_t i = 0; i < digits; ++i) {
      if (!IsHex(Peek(i))) Refuse("incomplete escape");
      hex += Peek(i);
    }
    at_ += digits;
    return "\\x{" + hex + "}";
  }
  std::string OctalPoint(size_t most) {
    int value = 0;
    for (size_t i = 0; i < most && IsOctal(Peek()); ++i)
      value = value * 8 + (text_[at_++] - '0');
    if (value > 0377) Refuse("octal escape value outside of range 0-0o377");
    return fmt::format("\\x{{{:x}}}", value);
  }

  // An escape that stands for one character everywhere; at_ is behind the letter.
  std::optional<std::string> CharacterEscape(char c) {
    switch (c) {
      case 'a':
        return "\\x{7}";
      case 'v':
        return "\\x{b}";
      case 'f':
      case 'n':
      case 'r':
      case 't':
        return std::string("\\") + c;
      case 'x':
        return CodePoint(2);
      case 'u':
        return CodePoint(4);
      case 'U':
        return CodePoint(8);
      case '0':
        return OctalPoint(2);
      default:
        return std::nullopt;
    }
  }

  void Escape() {
    ++at_;
    if (at_ == text_.size()) Refuse("bad escape (end of pattern)");
    const char c = text_[at_++];
    if (const auto character = CharacterEscape(c)) return Emit(*character, Last::kItem);
    if (IsDigit(c)) {
      --at_;
      if (IsOctal(c) && c <= '3' && IsOctal(Peek(1)) && IsOctal(Peek(2))) {
        return Emit(OctalPoint(3), Last::kItem);
      }
      std::string group;
      while (group.size() < 2 && IsDigit(Peek())) group += text_[at_++];
      return Emit("\\g{" + group + "}", Last::kItem);
    }
    switch (c) {
      case 'A':
      case 'b':
        return Emit(std::string("\\") + c, Last::kPosition);
      case 'B':
        // Python finds none in an empty text.
        return Emit("(?!\\A\\z)\\B", Last::kPosition);
      case 'Z':
        return Emit("\\z", Last::kPosition);
      case 'd':
      case 'D':
      case 's':
      case 'S':
      case 'w':
      case 'W':
        return Emit(std::string("\\") + c, Last::kItem);
      default:
        break;
    }
    if (IsLetter(c)) Refuse(std::string("bad escape \\") + c);
    // A byte of a longer character stays as it is.
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    Emit((ascii ? "\\" : "") + std::string(1, c), Last::kItem);
  }

  // One member of a class; true if it is a single character.
  bool ClassMember() {
    const char c = text_[at_++];
    if (c != '\\') {
      if (c == '[' || c == ']' || c == '\\' || c == '^') out_ += '\\';
      out_ += c;
      return true;
    }
    if (at_ == text_.size()) Refuse("unterminated character set");
    const char escaped = text_[at_++];
    if (const auto character = CharacterEscape(escaped)) {
      out_ += *character;
      return true;
    }
    if (escaped == 'b') {
      out_ += "\\x{8}";
      return true;
    }
    if (IsOctal(escaped)) {
      --at_;
      out_ += OctalPoint(3);
      return true;
    }
    const bool is_class =
        std::string_view("dDsSwW").find(escaped) != std::string_view::npos;
    if (!is_class && (IsLetter(escaped) || IsDigit(escaped))) {
      Refuse(std::string("bad escape \\") + escaped);
    }
    if (static_cast<unsigned char>(escaped) < 0x80) out_ += '\\';
    out_ += escaped;
    return !is_class;
  }

  void Class() {
    ++at_;
    out_ += '[';
    if (Peek() == '^') {
      out_ += '^';
      ++at_;
    }
    for (bool first = true;; first = false) {
      if (at_ >= text_.size()) Refuse("unterminated character set");
      if (Peek() == ']' && !first) break;
      const bool single = ClassMember();
      if (Peek() != '-' || Peek(1) == ']' || Peek(1) == '\0') continue;
      ++at_;
      if (!single) Refuse("bad character range");
      out_ += '-';
      if (!ClassMember()) Refuse("bad character range");
    }
    ++at_;
    Emit("]", Last::kItem);
  }

  std::string Until(char end, const char* what) {
    const size_t found = text_.find(end, at_);
    if (found == std::string::npos) Refuse(std::string("missing ") + end + ", " + what);
    const std::string name = text_.substr(at_, found - at_);
    at_ = found + 1;
    return name;
  }

  void Open() {
    if (!Looking("(?")) {
      ++at_;
      return Emit("(", Last::kNothing);
    }
    for (std::string_view same : {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"}) {
      if (!Looking(same)) continue;
      at_ += same.size();
      return Emit(same, Last::kNothing);
    }
    if (Looking("(?#")) {
      Until(')', "unterminated comment");
      return;
    }
    if (Looking("(?P<")) {
      at_ += 4;
      return Emit("(?P<" + Until('>', "unterminated name") + ">", Last::kNothing);
    }
    if (Looking("(?P=")) {
      at_ += 4;
      return Emit("\\k{" + Until(')', "unterminated name") + "}", Last::kItem);
    }
    if (Looking("(?(")) {
      at_ += 3;
      const std::string name = Until(')', "unterminated name");
      const bool number = name.find_first_not_of("0123456789") == std::string::npos;
      return Emit(number ? "(?(" + name + ")" : "(?(<" + name + ">)", Last::kNothing);
    }
    ScopedFlags();
  }

  // "(?i-s:": flags for one group.
  void ScopedFlags() {
    size_t end = at_ + 2;
    while (end < text_.size() && (IsLetter(text_[end]) || text_[end] == '-')) ++end;
    const std::string flags = text_.substr(at_ + 2, end - at_ - 2);
    if (flags.empty() || flags.find_first_not_of("aimsux-") != std::string::npos) {
      Refuse("unknown extension");
    }
    if (end < text_.size() && text_[end] == ')') {
      Refuse("global flags not at the start of the expression");
    }
    if (end >= text_.size() || text_[end] != ':') Refuse("missing :");
    if (flags.find('a') != std::string::npos) Refuse("(?a:...) is not read");
    std::string kept;
    for (const char flag : flags) {
      if (flag != 'u') kept += flag;
    }
    at_ = end + 1;
    Emit("(?" + kept + ":", Last::kNothing);
  }

  const std::string& text_;
  const std::string& where_;
  std::string out_;
  size_t at_ = 0;
  Last last_ = Last::kNothing;
  bool ascii_ = false;
  bool verbose_ = false;
};

}  // namespace

PcreExpression TranslatePythonRegex(const std::string& expression,
                                    const std::string& where) {
  return Translator(expression, where).Run();
}

}  // namespace qconform
