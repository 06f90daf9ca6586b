// Fills in rows: names, and literal data.
#include <algorithm>
#include <charconv>

#include "conformance/cases/row_field.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr std::string_view kCodesPrefix = "codes.";
constexpr std::string_view kValuesPrefix = "values.";
constexpr std::string_view kSeedPrefix = "/seed.";

// A bias has 32 bits, more than any size may have.
int64_t CodeFrom(const std::string& text, const std::string& where) {
  const std::string spelled = WithSigns(text);
  int32_t code = 0;
  const char* end = spelled.data() + spelled.size();
  const auto [stop, error] = std::from_chars(spelled.data(), end, code);
  if (error != std::errc() || stop != end) {
    throw InputError(where, "'" + text + "' is no code",
                     "whole numbers of 32 bits, like codes.255.0_m3.7");
  }
  return code;
}

// The lists between dots, of which `cut` separates several.
std::vector<Numbers> CodesFrom(const std::string& text, const std::string& where) {
  std::vector<Numbers> lists(1);
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find_first_of("._", begin), text.size());
    lists.back().push_back(CodeFrom(text.substr(begin, end - begin), where));
    if (end < text.size() && text[end] == '_') lists.emplace_back();
    begin = end + 1;
  }
  return lists;
}

Reals ValuesFrom(const std::string& text, const std::string& where) {
  Reals values;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('.', begin), text.size());
    const Reals one = ParseReals(WithSigns(text.substr(begin, end - begin)), where);
    if (one.size() != 1)
      throw InputError(where, "fill 'values." + text + "'", "values like values.0_5.inf");
    values.push_back(one[0]);
    begin = end + 1;
  }
  return values;
}

// The one spelling of a number: no sign and no leading zero, so that a case has one id.
uint64_t SeedFrom(const std::string& text, const std::string& where) {
  uint64_t seed = 0;
  const auto [stop, error] =
      std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || stop != text.data() + text.size() ||
      std::to_string(seed) != text) {
    throw InputError(where, "seed '" + text + "'", "a whole number below 2^64");
  }
  return seed;
}

bool IsWrittenDown(const SuiteRow& row) {
  return row.fill == Fill::kCodes || row.fill == Fill::kValues;
}

// Without its seed.
void SetPlainFill(SuiteRow& row, const std::string& text, const std::string& where) {
  if (text.starts_with(kCodesPrefix)) {
    row.fill = Fill::kCodes;
    row.codes = CodesFrom(text.substr(kCodesPrefix.size()), where);
    return;
  }
  if (text.starts_with(kValuesPrefix)) {
    row.fill = Fill::kValues;
    row.values = ValuesFrom(text.substr(kValuesPrefix.size()), where);
    return;
  }
  const auto fill = ParseFill(text);
  if (!fill || *fill == Fill::kCodes || *fill == Fill::kValues) {
    throw InputError(where, "fill '" + text + "'",
                     "the name of a fill, or codes. or values. and a list");
  }
  row.fill = *fill;
}

}  // namespace

std::string FillText(const SuiteRow& row) {
  std::string text = FillName(row.fill);
  for (size_t i = 0; i < row.codes.size(); ++i) {
    for (size_t j = 0; j < row.codes[i].size(); ++j) {
      text += i > 0 && j == 0 ? '_' : '.';
      text += WithoutSigns(std::to_string(row.codes[i][j]));
    }
  }
  for (const float value : row.values) text += "." + WithoutSigns(RealText(value));
  if (row.data_seed) text += std::string(kSeedPrefix) + std::to_string(*row.data_seed);
  return text;
}

void SetFill(SuiteRow& row, const std::string& text, const std::string& where) {
  row.codes.clear();
  row.values.clear();
  row.data_seed.reset();
  const size_t slash = text.find('/');
  SetPlainFill(row, text.substr(0, slash), where);
  if (slash == std::string::npos) return;
  const std::string behind = text.substr(slash);
  if (!behind.starts_with(kSeedPrefix))
    throw InputError(where, "'" + behind + "' behind the fill", "/seed. and a number");
  if (IsWrittenDown(row))
    throw InputError(where, "a seed behind data that are written down", "no seed");
  row.data_seed = SeedFrom(behind.substr(kSeedPrefix.size()), where);
}

void DrawOtherData(SuiteRow& row, uint64_t seed) {
  if (!IsWrittenDown(row) && !row.data_seed) row.data_seed = seed;
}

std::string_view WithoutDataSeed(std::string_view id) {
  return id.substr(0, id.rfind(kSeedPrefix));
}

bool HoldsWholeDomain(const SuiteRow& row) {
  return row.fill == Fill::kEveryCode || row.fill == Fill::kEveryPair ||
         row.fill == Fill::kEveryProduct;
}

}  // namespace qconform
