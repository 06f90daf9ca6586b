#include "reference/exported/sympy_text.h"

#include <vector>

#include "reference/exported/quoted_text.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr int kMaxDepth = 64;

// How tightly a text binds: what is looser than its place goes in parentheses.
enum class Binding { kSum, kProduct, kAtom };

struct Term {
  std::string text;
  Binding binding = Binding::kAtom;
  bool is_number = false;
};

std::string Within(const Term& term, Binding place) {
  return term.binding < place ? "(" + term.text + ")" : term.text;
}

std::string Listed(const std::vector<Term>& terms) {
  std::string text;
  for (const Term& term : terms) {
    if (!text.empty()) text += ", ";
    text += term.text;
  }
  return text;
}

// Numbers come last in a sum.
Term Sum(const std::vector<Term>& terms) {
  Term sum{"", Binding::kSum, false};
  for (const bool numbers : {false, true}) {
    for (const Term& term : terms) {
      if (term.is_number != numbers) continue;
      const bool negative = term.text.starts_with('-');
      if (!sum.text.empty()) sum.text += negative ? " - " : " + ";
      sum.text += sum.text.empty() || !negative ? term.text : term.text.substr(1);
    }
  }
  return sum;
}

Term Product(const std::vector<Term>& terms) {
  Term product{"", Binding::kProduct, false};
  for (const Term& term : terms) {
    if (term.text == "-1" && product.text.empty() && terms.size() > 1) {
      product.text = "-";
      continue;
    }
    if (!product.text.empty() && product.text != "-") product.text += "*";
    product.text += Within(term, Binding::kProduct);
  }
  return product;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  std::string Parse() {
    const Term term = ParseTerm(0);
    if (position_ != text_.size()) Refuse("the end");
    return term.text;
  }

 private:
  [[noreturn]] void Refuse(const std::string& expected) const {
    throw InputError(where_,
                     "the size " + Quoted(text_) + " is no expression at character " +
                         std::to_string(position_ + 1),
                     expected);
  }

  char Peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool Skip(char c) {
    if (Peek() != c) return false;
    ++position_;
    while (Peek() == ' ') ++position_;
    return true;
  }

  static bool IsWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.';
  }
  std::string Word() {
    const size_t start = position_;
    if (Peek() == '-') ++position_;
    while (IsWord(Peek())) ++position_;
    if (position_ == start) Refuse("a name or a number");
    return std::string(text_.substr(start, position_ - start));
  }
  std::string QuotedName() {
    const char quote = Peek();
    ++position_;
    const size_t start = position_;
    while (Peek() != quote) {
      if (!IsWord(Peek())) Refuse("a name in quotes");
      ++position_;
    }
    std::string name(text_.substr(start, position_ - start));
    Skip(quote);
    return name;
  }

  // Name(argument, ..., key=value, ...), a number, or a quoted name.
  Term ParseTerm(int depth) {
    if (depth > kMaxDepth) Refuse("at most 64 levels");
    if (Peek() == '\'' || Peek() == '"') return {QuotedName(), Binding::kAtom, false};
    const std::string name = Word();
    if (!Skip('(')) return {name, Binding::kAtom, false};
    std::vector<Term> terms;
    while (!Skip(')')) {
      if (!terms.empty() && !Skip(',')) Refuse("',' or ')'");
      Term term = ParseTerm(depth + 1);
      if (Skip('=')) {
        Word();  // an assumption: True or False
        SkipAssumptions();
        break;
      }
      terms.push_back(std::move(term));
    }
    return Call(name, terms);
  }

  // The rest of them: nothing but assumptions follows one.
  void SkipAssumptions() {
    while (!Skip(')')) {
      if (!Skip(',')) Refuse("',' or ')'");
      Word();
      if (!Skip('=')) Refuse("'='");
      Word();
    }
  }

  Term Call(const std::string& name, const std::vector<Term>& terms) const {
    if (terms.empty()) Refuse("arguments of " + name);
    if (name == "Symbol" && terms.size() > 1) Refuse("assumptions behind the name");
    if (name == "Symbol") return {terms[0].text, Binding::kAtom, false};
    if (name == "Integer" || name == "Float") {
      return {terms[0].text, Binding::kAtom, true};
    }
    if (name == "Rational") {
      return {Listed({terms[0]}) + (terms.size() > 1 ? "/" + terms[1].text : ""),
              Binding::kProduct, true};
    }
    if (name == "Add") return Sum(terms);
    if (name == "Mul") return Product(terms);
    if (name == "Pow" && terms.size() == 2) {
      return {Within(terms[0], Binding::kAtom) + "**" + Within(terms[1], Binding::kAtom),
              Binding::kProduct, false};
    }
    return {name + "(" + Listed(terms) + ")", Binding::kAtom, false};
  }

  std::string_view text_;
  const std::string& where_;
  size_t position_ = 0;
};

}  // namespace

std::string SympyText(std::string_view srepr, const std::string& where) {
  return Parser(srepr, where).Parse();
}

}  // namespace qconform
