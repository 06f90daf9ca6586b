#include "conformance/shrink/smaller_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "conformance/cases/build_call.h"
#include "conformance/cases/split_text.h"
#include "conformance/cases/suite_row.h"

namespace qconform {
namespace {

constexpr size_t kLiteralCodes = 32;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A run of digits in a text.
struct Number {
  size_t begin;
  size_t end;
  int64_t value;
};

std::vector<Number> NumbersIn(const std::string& text) {
  std::vector<Number> numbers;
  for (size_t i = 0; i < text.size();) {
    if (!IsDigit(text[i])) {
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    // Longer than any size: a scale, say.
    if (i - begin <= 9)
      numbers.push_back({begin, i, std::stoll(text.substr(begin, i - begin))});
  }
  return numbers;
}

// Smaller values, the smallest first: what can go at once goes at once.
std::vector<int64_t> Smaller(int64_t value) {
  std::vector<int64_t> values;
  for (const int64_t candidate :
       {int64_t{0}, int64_t{1}, int64_t{2}, value / 8, value / 4, value / 2, value - 1})
    if (candidate >= 0 && candidate < value) values.push_back(candidate);
  return values;
}

std::string Replaced(const std::string& text, const std::vector<Number>& numbers,
                     int64_t value) {
  std::string result = text;
  for (size_t i = numbers.size(); i-- > 0;)
    result.replace(numbers[i].begin, numbers[i].end - numbers[i].begin,
                   std::to_string(value));
  return result;
}

// Edits of `text` by dropping one of its words from the `first` on.
std::vector<std::string> WithoutWords(const std::string& text, size_t first) {
  const std::vector<std::string> words = SplitText(text, '.');
  std::vector<std::string> results;
  for (size_t drop = first; drop < words.size(); ++drop) {
    std::vector<std::string> left = words;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(drop));
    results.push_back(fmt::format("{}", fmt::join(left, ".")));
  }
  return results;
}

std::vector<std::string> WithSmallerNumbers(const std::string& text) {
  std::vector<std::string> results;
  const std::vector<Number> all = NumbersIn(text);
  std::set<int64_t, std::greater<>> values;
  for (const Number& number : all) values.insert(number.value);
  // Equal numbers together: channels and their groups, the sides of a square.
  for (const int64_t value : values) {
    std::vector<Number> equal;
    std::copy_if(all.begin(), all.end(), std::back_inserter(equal),
                 [value](const Number& number) { return number.value == value; });
    for (const int64_t smaller : Smaller(value))
      results.push_back(Replaced(text, equal, smaller));
  }
  for (const Number& number : all)
    for (const int64_t smaller : Smaller(number.value))
      results.push_back(Replaced(text, {number}, smaller));
  return results;
}

std::string CodesText(const CallTensor& tensor) {
  std::vector<std::string> codes;
  for (const std::byte byte : tensor.data) {
    const auto code = std::to_integer<int>(byte);
    const int value = tensor.dtype == QC_S8 && code > 127 ? code - 256 : code;
    codes.push_back(value < 0 ? fmt::format("m{}", -value) : std::to_string(value));
  }
  return fmt::format("{}", fmt::join(codes, "."));
}

}  // namespace

std::vector<std::string> SmallerIds(const std::string& id) {
  const std::vector<std::string> parts = SplitText(id, '/');
  std::vector<std::string> ids;
  const auto add = [&](size_t part, const std::vector<std::string>& edits) {
    for (const std::string& edit : edits) {
      std::vector<std::string> edited = parts;
      edited[part] = edit;
      const std::string candidate = fmt::format("{}", fmt::join(edited, "/"));
      if (candidate != id && std::find(ids.begin(), ids.end(), candidate) == ids.end())
        ids.push_back(candidate);
    }
  };
  if (parts.size() > 4) ids.push_back(std::string(WithoutDataSeed(id)));
  // Operator, dtypes and granularity stay: they say what is wrong.
  add(1, WithoutWords(parts[1], 3));
  add(2, WithoutWords(parts[2], 0));
  add(2, WithSmallerNumbers(parts[2]));
  if (parts[3].starts_with("codes.")) add(3, WithSmallerNumbers(parts[3]));
  return ids;
}

std::string WithLiteralCodes(const std::string& id) {
  const std::vector<std::string> parts = SplitText(id, '/');
  if (parts[3].starts_with("codes.")) return "";
  const OperatorCall call = BuildCall(RowFromId(id));
  std::vector<std::string> tensors;
  size_t count = 0;
  for (const auto& input : call.inputs) {
    if (!input || (input->dtype != QC_U8 && input->dtype != QC_S8)) continue;
    count += input->data.size();
    tensors.push_back(CodesText(*input));
  }
  if (count == 0 || count > kLiteralCodes) return "";
  return fmt::format("{}/{}/{}/codes.{}", parts[0], parts[1], parts[2],
                     fmt::join(tensors, "_"));
}

}  // namespace qconform
