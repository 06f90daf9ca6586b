#include "conformance/cases/row_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>

#include "conformance/metamorphic/relation.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// Larger dimensions are a slip of the pen.
constexpr int64_t kLargestNumber = 1 << 20;

template <typename Read>
void SplitAtX(const std::string& text, const Read& read) {
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('x', begin), text.size());
    read(text.data() + begin, text.data() + end);
    begin = end + 1;
  }
}

std::string NumbersText(const Numbers& numbers) {
  return fmt::format("{}", fmt::join(numbers, "x"));
}

std::string RealsText(const Reals& reals) {
  std::string text;
  for (const float real : reals) text += (text.empty() ? "" : "x") + RealText(real);
  return text;
}

std::string SidesText(const Sides& sides) {
  const std::string before = NumbersText(sides.before);
  return sides.after == sides.before ? before : before + "_" + NumbersText(sides.after);
}

bool AllAre(const Numbers& numbers, int64_t value) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [value](int64_t n) { return n == value; });
}

int64_t OneNumber(const std::string& text, bool may_be_negative,
                  const std::string& where) {
  const Numbers numbers = ParseNumbers(text, may_be_negative, where);
  if (numbers.size() != 1) throw InputError(where, "'" + text + "'", "one number");
  return numbers[0];
}

Sides ParseSides(const std::string& text, const std::string& where) {
  const size_t cut = text.find('_');
  Sides sides{ParseNumbers(text.substr(0, cut), false, where), {}};
  sides.after = cut == std::string::npos
                    ? sides.before
                    : ParseNumbers(text.substr(cut + 1), false, where);
  return sides;
}

// "none" and the names of all relations.
std::vector<std::string_view> RelationChoices() {
  std::vector<std::string_view> choices = {"none"};
  for (const Relation& relation : Relations()) choices.push_back(relation.name);
  return choices;
}

bool IsNumeric(const RowField& field) {
  return !std::holds_alternative<std::string SuiteRow::*>(field.member) &&
         !std::holds_alternative<bool SuiteRow::*>(field.member) &&
         !std::holds_alternative<Sides SuiteRow::*>(field.member);
}

}  // namespace

const std::array<RowField, kRowFieldCount>& RowFields() {
  using R = SuiteRow;
  static const auto* fields = new std::array<RowField, kRowFieldCount>{{
      {"weights", "", &R::weights, {"per_tensor", "per_channel"}},
      {"bias", "bias_", &R::bias, {"none", "f32", "s32", "f32_rounded"}},
      {"activation",
       "",
       &R::activation,
       {"none", "relu", "relu6", "clamp", "leaky_relu", "tanh", "gelu", "hardswish",
        "silu"}},
      {"scheme", "", &R::scheme, {"own", "real", "q31_one", "q31_two"}},
      {"residual", "residual", &R::residual},
      {"relation", "", &R::relation, RelationChoices()},
      {"expect", "", &R::expect, {"answer", "declared"}},
      {"n", "n", &R::n},
      {"c", "c", &R::c},
      {"size", "i", &R::size},
      {"o", "o", &R::o},
      {"kernel", "k", &R::kernel, {}, 1},
      {"stride", "s", &R::stride, {}, 1},
      {"dilation", "d", &R::dilation, {}, 1},
      {"padding", "p", &R::padding, {}, 0},
      {"output_padding", "op", &R::output_padding, {}, 0},
      {"groups", "g", &R::groups},
      {"ceil", "ceil", &R::ceil},
      {"include_pad", "include_pad", &R::include_pad},
      {"divisor", "divisor", &R::divisor},
      {"shape", "i", &R::shape},
      {"other", "b", &R::other},
      {"out", "out", &R::out},
      {"axis", "axis", &R::axis},
      {"qaxis", "qaxis", &R::qaxis},
      {"axes", "axes", &R::axes},
      {"keep", "keep", &R::keep},
      {"parts", "parts", &R::parts},
      {"start", "start", &R::start, {}, 0},
      {"stop", "stop", &R::stop},
      {"step", "step", &R::step, {}, 1},
      {"padding_mode",
       "",
       &R::padding_mode,
       {"zeros", "reflect", "replicate", "circular"}},
      {"interpolation", "", &R::interpolation, {"nearest", "bilinear"}},
      {"align", "align", &R::align},
      {"scale_factor", "by", &R::scale_factor},
      {"factor", "r", &R::factor},
      {"group_count", "groups", &R::group_count},
      {"reduction", "", &R::reduction, {"sum", "mean", "max"}},
      {"offsets", "offsets", &R::offsets},
      {"include_last", "include_last", &R::include_last},
      {"sample_weights", "sample_weights", &R::sample_weights},
      {"padding_index", "padding_index", &R::padding_index},
      {"hidden", "h", &R::hidden},
      {"layers", "layers", &R::layers},
      {"bidirectional", "bidirectional", &R::bidirectional},
      {"batch_first", "batch_first", &R::batch_first},
      {"reduce_range", "reduce_range", &R::reduce_range},
      {"dequantized", "dequantized", &R::dequantized},
      {"scalar", "scalar", &R::scalar},
      {"scalar_first", "scalar_first", &R::scalar_first},
      {"alpha", "alpha", &R::alpha},
      {"minimum", "min", &R::minimum},
      {"maximum", "max", &R::maximum},
      {"epsilon", "epsilon", &R::epsilon},
      {"approximate", "approximate", &R::approximate},
      {"zx", "zx", &R::zx, {}, -1, true},
      {"zw", "zw", &R::zw, {}, 0, true},
      {"zf", "zf", &R::zf},
      {"zy", "zy", &R::zy, {}, -1, true},
      {"zr", "zr", &R::zr, {}, -1, true},
      {"zs", "zs", &R::zs, {}, -1, true},
      {"sx", "sx", &R::sx},
      {"sw", "sw", &R::sw},
      {"sy", "sy", &R::sy},
      {"sr", "sr", &R::sr},
      {"range", "range", &R::range, {}, -1, true},
  }};
  return *fields;
}

const RowField& FieldOfColumn(std::string_view column) {
  const auto& fields = RowFields();
  const auto found =
      std::find_if(fields.begin(), fields.end(),
                   [column](const RowField& field) { return field.column == column; });
  assert(found != fields.end());
  return *found;
}

bool IsDefault(const SuiteRow& row, const RowField& field) {
  static const SuiteRow empty;
  const auto is_default = [&](auto member) {
    const auto& value = row.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>)
      return value.empty() || value == field.choices[0];
    if constexpr (std::is_same_v<Value, Numbers>)
      return value.empty() || (field.neutral >= 0 && AllAre(value, field.neutral));
    if constexpr (std::is_same_v<Value, Sides>)
      return AllAre(value.before, field.neutral) && AllAre(value.after, field.neutral);
    return value == empty.*member;
  };
  return std::visit(is_default, field.member);
}

std::string FieldText(const SuiteRow& row, const RowField& field) {
  struct Printer {
    const SuiteRow& row;
    std::string operator()(Numbers SuiteRow::*at) const { return NumbersText(row.*at); }
    std::string operator()(Reals SuiteRow::*at) const { return RealsText(row.*at); }
    std::string operator()(Sides SuiteRow::*at) const { return SidesText(row.*at); }
    std::string operator()(std::string SuiteRow::*at) const { return row.*at; }
    std::string operator()(bool SuiteRow::*at) const { return row.*at ? "yes" : ""; }
    std::string operator()(int64_t SuiteRow::*at) const {
      return std::to_string(row.*at);
    }
  };
  return std::visit(Printer{row}, field.member);
}

void SetField(SuiteRow& row, const RowField& field, const std::string& text,
              const std::string& where) {
  if (text.empty()) return;
  const auto set = [&](auto member) {
    auto& value = row.*member;
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, Numbers>) {
      value = ParseNumbers(text, field.may_be_negative, where);
    } else if constexpr (std::is_same_v<Value, int64_t>) {
      value = OneNumber(text, field.may_be_negative, where);
    } else if constexpr (std::is_same_v<Value, Reals>) {
      value = ParseReals(text, where);
    } else if constexpr (std::is_same_v<Value, Sides>) {
      value = ParseSides(text, where);
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (text != "yes" && text != "no")
        throw InputError(where, fmt::format("{} '{}'", field.column, text), "yes or no");
      value = text == "yes";
    } else {
      if (std::find(field.choices.begin(), field.choices.end(), text) ==
          field.choices.end()) {
        throw InputError(where, fmt::format("{} '{}'", field.column, text),
                         fmt::format("one of {}", fmt::join(field.choices, ", ")));
      }
      value = text;
    }
  };
  std::visit(set, field.member);
}

std::string IdText(const SuiteRow& row, const RowField& field) {
  const std::string text = FieldText(row, field);
  return IsNumeric(field) ? WithoutSigns(text) : text;
}

void SetFromId(SuiteRow& row, const RowField& field, const std::string& text,
               const std::string& where) {
  SetField(row, field, IsNumeric(field) ? WithSigns(text) : text, where);
}

Numbers ParseNumbers(const std::string& text, bool may_be_negative,
                     const std::string& where) {
  Numbers numbers;
  if (text.empty()) return numbers;
  SplitAtX(text, [&](const char* begin, const char* end) {
    int64_t value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end || value > kLargestNumber ||
        value < (may_be_negative ? -kLargestNumber : 0)) {
      throw InputError(where, "'" + text + "' is no list of sizes",
                       "numbers with x between them, like 3x3");
    }
    numbers.push_back(value);
  });
  return numbers;
}

Reals ParseReals(const std::string& text, const std::string& where) {
  Reals reals;
  if (text.empty()) return reals;
  SplitAtX(text, [&](const char* begin, const char* end) {
    float value = 0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || stop != end) {
      throw InputError(where, "'" + text + "' is no list of numbers",
                       "float32 numbers with x between them, like 0.5x0.25");
    }
    reals.push_back(value);
  });
  return reals;
}

std::string RealText(float value) {
  std::string text = fmt::format("{}", value);
  std::erase(text, '+');
  return text;
}

std::string WithoutSigns(std::string text) {
  std::replace(text.begin(), text.end(), '-', 'm');
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

std::string WithSigns(std::string text) {
  std::replace(text.begin(), text.end(), 'm', '-');
  std::replace(text.begin(), text.end(), '_', '.');
  return text;
}

}  // namespace qconform
