// The way back: from an id to the row that it stands for.
#include <charconv>

#include "conformance/cases/suite_row.h"
#include "conformance/host/operator_call.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

// "u8s8u8" -> three names: each is letters and then digits.
std::vector<std::string> SplitDTypes(const std::string& text) {
  std::vector<std::string> names;
  bool in_digits = true;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && in_digits) names.emplace_back();
    if (names.empty()) break;
    names.back() += c;
    in_digits = digit;
  }
  return names;
}

int32_t SignedNumber(const std::string& text, const std::string& where) {
  const bool negative = text.starts_with('m');
  const Numbers numbers = ParseNumbers(negative ? text.substr(1) : text, where);
  if (numbers.size() != 1) throw InputError(where, "'" + text + "'", "one number");
  return static_cast<int32_t>(negative ? -numbers[0] : numbers[0]);
}

int64_t OneNumber(const std::string& text, const std::string& where) {
  return SignedNumber(text, where);
}

void ReadWhat(const std::string& text, const std::string& where, SuiteRow& row) {
  const std::vector<std::string> words = Split(text, '.');
  const std::vector<std::string> dtypes =
      SplitDTypes(words.size() > 1 ? words[1] : std::string());
  if (words.size() < 3 || dtypes.size() != 3) {
    throw InputError(where, "'" + text + "' names no operator",
                     "operator.dtypes.granularity");
  }
  row.operator_name = words[0];
  qc_dtype* const targets[] = {&row.x, &row.w, &row.y};
  for (size_t i = 0; i < 3; ++i) {
    auto dtype = ParseAbiDType(dtypes[i]);
    if (!dtype) throw InputError(where, "dtype '" + dtypes[i] + "'", "u8, s8 or f32");
    *targets[i] = *dtype;
  }
  if (words[2] != "per_channel" && words[2] != "per_tensor") {
    throw InputError(where, "'" + words[2] + "'", "per_tensor or per_channel");
  }
  row.per_channel = words[2] == "per_channel";
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i].starts_with("bias_")) {
      row.bias = words[i].substr(5);
    } else if (words[i] == "relu") {
      row.relu = true;
    } else {
      throw InputError(where, "'" + words[i] + "'", "bias_f32, bias_s32 or relu");
    }
  }
}

void ReadShapeWord(const std::string& word, const std::string& where, SuiteRow& row) {
  const size_t digits = word.find_first_of("0123456789");
  // A negative zero point has an m before its digits.
  const bool zero_point = word.starts_with("z");
  const size_t cut = zero_point ? std::min<size_t>(2, word.size()) : digits;
  if (cut == std::string::npos || cut == 0)
    throw InputError(where, "'" + word + "'", "a letter and its numbers, like c64");
  const std::string name = word.substr(0, cut);
  const std::string value = word.substr(cut);
  const bool linear = row.is_linear();
  if (name == "zx") {
    row.zx = SignedNumber(value, where);
  } else if (name == "zw") {
    row.zw = SignedNumber(value, where);
  } else if (name == "zy") {
    row.zy = SignedNumber(value, where);
  } else if (name == (linear ? "m" : "n")) {
    row.n = ParseNumbers(value, where);
  } else if (name == (linear ? "k" : "c")) {
    row.c = OneNumber(value, where);
  } else if (name == (linear ? "n" : "o")) {
    row.o = OneNumber(value, where);
  } else if (!linear && name == "i") {
    row.size = ParseNumbers(value, where);
  } else if (!linear && name == "k") {
    row.kernel = ParseNumbers(value, where);
  } else if (!linear && name == "s") {
    row.stride = ParseNumbers(value, where);
  } else if (!linear && name == "d") {
    row.dilation = ParseNumbers(value, where);
  } else if (!linear && name == "g") {
    row.groups = OneNumber(value, where);
  } else if (!linear && name == "p") {
    const std::vector<std::string> sides = Split(value, '_');
    row.padding_before = ParseNumbers(sides[0], where);
    if (sides.size() > 1) row.padding_after = ParseNumbers(sides[1], where);
  } else {
    throw InputError(where, "'" + word + "'", "a word of the shape");
  }
}

}  // namespace

SuiteRow RowFromId(const std::string& id) {
  const std::string where = "case id '" + id + "'";
  const std::vector<std::string> parts = Split(id, '/');
  if (parts.size() != 4)
    throw InputError(where, "not a case id", "suite/what/shape/fill");
  SuiteRow row;
  row.suite = parts[0];
  ReadWhat(parts[1], where, row);
  for (const std::string& word : Split(parts[2], '.')) ReadShapeWord(word, where, row);
  auto fill = ParseFill(parts[3]);
  if (!fill) throw InputError(where, "fill '" + parts[3] + "'", "the name of a fill");
  row.fill = *fill;
  CompleteRow(row, where);
  return row;
}

}  // namespace qconform
