#include "reference/config/pattern.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "reference/config/canonical_name.h"
#include "reference/config/python_repr.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Operator libraries: their overload names may start with a capital letter.
constexpr std::array<std::string_view, 6> kOperatorLibraries = {
    "aten.", "prims.", "quantized.", "quantized_decomposed.", "torchao.", "torch.ops."};

std::optional<double> AsNumber(const Argument& value) {
  if (const bool* flag = value.As<bool>()) return *flag ? 1.0 : 0.0;
  if (const int64_t* integer = value.As<int64_t>()) {
    return static_cast<double>(*integer);
  }
  if (const double* real = value.As<double>()) return *real;
  return std::nullopt;
}

std::string LiteralText(const Argument& value) {
  if (value.IsNone()) return "None";
  if (const int64_t* integer = value.As<int64_t>()) return std::to_string(*integer);
  if (std::optional<double> number = AsNumber(value)) {
    if (*number == std::floor(*number) && std::abs(*number) < 9.2e18) {
      return std::to_string(static_cast<int64_t>(*number));
    }
    return fmt::format("{:.17g}", *number);
  }
  if (const std::string* text = value.As<std::string>()) return "'" + *text + "'";
  if (const DType* dtype = value.As<DType>()) return std::string(DTypeName(*dtype));
  if (const Sequence* sequence = value.As<Sequence>()) {
    std::string text = sequence->is_tuple ? "(" : "[";
    for (const Argument& item : sequence->items) text += LiteralText(item) + ",";
    return text + (sequence->is_tuple ? ")" : "]");
  }
  if (const OpaqueValue* opaque = value.As<OpaqueValue>()) return opaque->text;
  return "?";
}

}  // namespace

Pattern Pattern::Literal(Argument value) {
  // In Python a method name and a string literal are the same thing.
  if (const std::string* text = value.As<std::string>()) return Method(*text);
  Pattern pattern(Kind::kLiteral, "");
  pattern.literal_ = std::move(value);
  return pattern;
}

Pattern Pattern::Tuple(std::vector<Pattern> items) {
  Pattern pattern(Kind::kTuple, "");
  pattern.items_ = std::move(items);
  return pattern;
}

Pattern Pattern::FromName(const std::string& spelling) {
  const std::string name = CanonicalName(spelling);
  if (name == "MatchAllNode") return MatchAll();
  for (std::string_view library : kOperatorLibraries) {
    if (name.rfind(library, 0) == 0) return Function(name);
  }
  const size_t dot = name.rfind('.');
  const size_t last = dot == std::string::npos ? 0 : dot + 1;
  const bool capital =
      last < name.size() && std::isupper(static_cast<unsigned char>(name[last])) != 0;
  if (capital) return Module(name);
  return dot == std::string::npos ? Method(name) : Function(name);
}

int Pattern::AtomCount() const {
  if (!IsTuple()) return 1;
  int count = 0;
  for (const Pattern& item : items_) count += item.AtomCount();
  return count;
}

std::string Pattern::Text() const {
  switch (kind_) {
    case Kind::kMatchAll:
      return "MatchAllNode";
    case Kind::kModule:
    case Kind::kFunction:
      return name_;
    case Kind::kMethod:
      return "'" + name_ + "'";
    case Kind::kLiteral:
      return LiteralText(literal_);
    case Kind::kTuple:
      break;
  }
  std::string text = "(";
  for (const Pattern& item : items_) text += item.Text() + ",";
  return text + ")";
}

std::string Pattern::HumanText() const {
  if (!IsTuple()) return Text();
  std::string text = "(";
  for (size_t i = 0; i < items_.size(); ++i) {
    text += (i == 0 ? "" : ", ") + items_[i].HumanText();
  }
  return text + (items_.size() == 1 ? ",)" : ")");
}

// As the texts compare, without making them where the kinds already tell.
bool Pattern::operator==(const Pattern& other) const {
  if (kind_ == Kind::kTuple && other.kind_ == Kind::kTuple) return items_ == other.items_;
  if (kind_ == other.kind_ && kind_ != Kind::kLiteral) return name_ == other.name_;
  return Text() == other.Text();
}

Pattern ReversedNested(const Pattern& execution_order) {
  if (!execution_order.IsTuple()) return execution_order;
  const std::vector<Pattern>& items = execution_order.items();
  if (items.size() == 2) return Pattern::Tuple({items[1], items[0]});
  if (items.size() == 3) {
    return Pattern::Tuple({items[2], Pattern::Tuple({items[1], items[0]})});
  }
  throw PipelineError("ValueError", "Expected a tuple with 2 or 3 elements, got: " +
                                        PythonRepr(execution_order));
}

bool PythonEqual(const Argument& a, const Argument& b) {
  // Integers compare exactly, not through double.
  if (a.As<int64_t>() != nullptr && b.As<int64_t>() != nullptr) {
    return *a.As<int64_t>() == *b.As<int64_t>();
  }
  const std::optional<double> left = AsNumber(a);
  const std::optional<double> right = AsNumber(b);
  if (left.has_value() || right.has_value()) {
    return left.has_value() && right.has_value() && *left == *right;
  }
  const Sequence* x = a.As<Sequence>();
  const Sequence* y = b.As<Sequence>();
  if (x == nullptr || y == nullptr) return a == b;
  if (x->is_tuple != y->is_tuple || x->items.size() != y->items.size()) return false;
  for (size_t i = 0; i < x->items.size(); ++i) {
    if (!PythonEqual(x->items[i], y->items[i])) return false;
  }
  return true;
}

}  // namespace qconform
