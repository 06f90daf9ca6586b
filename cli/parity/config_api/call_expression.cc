#include "cli/parity/config_api/call_expression.h"

#include <cctype>
#include <cstdlib>

namespace qconform::parity {
namespace {

constexpr int kDeepest = 32;

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  std::optional<Expression> ParseAll() {
    Expression result;
    if (!ParsePostfix(result)) return std::nullopt;
    SkipSpaces();
    if (at_ != text_.size()) return std::nullopt;
    return result;
  }

 private:
  using Kind = Expression::Kind;

  void SkipSpaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    }
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char Peek() {
    SkipSpaces();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  static bool IsNameStart(char c) {
    return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0;
  }
  std::string TakeName() {
    std::string name;
    while (at_ < text_.size() &&
           (IsNameStart(text_[at_]) ||
            (!name.empty() && std::isdigit(static_cast<unsigned char>(text_[at_]))))) {
      name += text_[at_++];
    }
    return name;
  }

  // An atom, then attributes and calls.
  bool ParsePostfix(Expression& result) {
    if (++depth_ > kDeepest || !ParseAtom(result)) return false;
    for (;;) {
      if (Take('.')) {
        Expression attribute;
        attribute.kind = Kind::kAttribute;
        attribute.name = TakeName();
        if (attribute.name.empty()) return false;
        attribute.items.push_back(std::move(result));
        result = std::move(attribute);
      } else if (Peek() == '(' && result.kind != Kind::kLiteral) {
        Take('(');
        Expression call;
        call.kind = Kind::kCall;
        call.items.push_back(std::move(result));
        if (!ParseArguments(call)) return false;
        result = std::move(call);
      } else {
        break;
      }
    }
    --depth_;
    return true;
  }

  bool ParseArguments(Expression& call) {
    while (!Take(')')) {
      std::string keyword;
      const size_t before = at_;
      SkipSpaces();
      const std::string name = TakeName();
      if (!name.empty() && Take('=')) {
        keyword = name;
      } else {
        at_ = before;
      }
      Expression argument;
      if (!ParsePostfix(argument)) return false;
      call.items.push_back(std::move(argument));
      call.keywords.push_back(std::move(keyword));
      if (!Take(',') && Peek() != ')') return false;
    }
    return true;
  }

  // Items up to `close`; `comma` says whether there was one.
  bool ParseItems(char close, bool is_dict, Expression& result, bool& comma) {
    comma = false;
    while (!Take(close)) {
      Expression item;
      if (!ParsePostfix(item)) return false;
      result.items.push_back(std::move(item));
      if (is_dict) {
        Expression value;
        if (!Take(':') || !ParsePostfix(value)) return false;
        result.items.push_back(std::move(value));
      }
      if (Take(',')) {
        comma = true;
      } else if (Peek() != close) {
        return false;
      }
    }
    return true;
  }

  bool ParseAtom(Expression& result) {
    bool comma = false;
    const char c = Peek();
    if (c == '(') {
      Take('(');
      result.kind = Kind::kTuple;
      if (!ParseItems(')', false, result, comma)) return false;
      // (a) is a.
      if (result.items.size() == 1 && !comma) {
        Expression inner = std::move(result.items[0]);
        result = std::move(inner);
      }
      return true;
    }
    if (c == '[') {
      Take('[');
      result.kind = Kind::kList;
      return ParseItems(']', false, result, comma);
    }
    if (c == '{') {
      Take('{');
      result.kind = Kind::kDict;
      return ParseItems('}', true, result, comma);
    }
    if (c == '\'' || c == '"') return ParseText(result);
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c)))
      return ParseNumber(result);
    result.name = TakeName();
    if (result.name.empty()) return false;
    result.kind = Kind::kLiteral;
    if (result.name == "None") return true;
    if (result.name == "True" || result.name == "False") {
      result.literal = result.name == "True";
      return true;
    }
    result.kind = Kind::kName;
    return true;
  }

  bool ParseText(Expression& result) {
    const char quote = text_[at_++];
    std::string text;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\') return false;
      text += text_[at_++];
    }
    if (at_ == text_.size()) return false;
    ++at_;
    result.literal = text;
    return true;
  }

  bool ParseNumber(Expression& result) {
    const char* begin = text_.c_str() + at_;
    char* end = nullptr;
    const double real = std::strtod(begin, &end);
    std::string digits(begin, static_cast<const char*>(end));
    if (digits.empty()) return false;
    at_ += digits.size();
    // 2**-12
    if (text_.compare(at_, 2, "**") == 0) {
      at_ += 2;
      Expression power;
      if (!ParseNumber(power) || !power.literal.is_number_integer()) return false;
      const int exponent = power.literal.get<int>();
      if (real != 2 || exponent < -60 || exponent > 60) return false;
      const double value = exponent < 0
                               ? 1.0 / static_cast<double>(int64_t{1} << -exponent)
                               : static_cast<double>(int64_t{1} << exponent);
      if (exponent < 0) {
        result.literal = value;
      } else {
        result.literal = static_cast<int64_t>(value);
      }
      return true;
    }
    if (digits.find_first_of(".eEnN") == std::string::npos) {
      result.literal = static_cast<int64_t>(std::strtoll(digits.c_str(), nullptr, 10));
    } else {
      result.literal = real;
    }
    // 1/256
    if (Peek() == '/') {
      Take('/');
      SkipSpaces();
      Expression divisor;
      if (!ParseNumber(divisor) || divisor.literal == 0) return false;
      result.literal = real / divisor.literal.get<double>();
    }
    return true;
  }

  const std::string& text_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::optional<Expression> ParseExpression(const std::string& text) {
  return Parser(text).ParseAll();
}

std::string DottedName(const Expression& expression) {
  if (expression.kind == Expression::Kind::kName) return expression.name;
  if (expression.kind != Expression::Kind::kAttribute) return "";
  const std::string owner = DottedName(expression.items[0]);
  return owner.empty() ? "" : owner + "." + expression.name;
}

}  // namespace qconform::parity
