#include "conformance/cases/suite_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>
#include <utility>

#include "conformance/cases/row_operator.h"
#include "conformance/host/operator_call.h"
#include "datasets/csv.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

// The columns that are no fields of the table.
enum OwnColumn { kOperator, kX, kW, kY, kFill, kTier, kReported, kWant };
constexpr std::array<const char*, 8> kOwnColumns = {
    "operator", "x", "w", "y", "fill", "tier", "reported", "want"};
constexpr size_t kColumns = kOwnColumns.size() + kRowFieldCount;

using Reader = io::CSVReader<kColumns, io::trim_chars<' ', '\t', '\r'>,
                             io::double_quote_escape<',', '"'>, io::throw_on_overflow,
                             io::single_line_comment<'#'>>;
using Texts = std::array<std::string, kColumns>;

std::string ColumnName(size_t i) {
  return i < kOwnColumns.size() ? kOwnColumns[i]
                                : std::string(RowFields()[i - kOwnColumns.size()].column);
}

template <size_t... I>
void ReadHeader(Reader& reader, std::index_sequence<I...>) {
  reader.read_header(io::ignore_missing_column, ColumnName(I)...);
}

template <size_t... I>
bool ReadRow(Reader& reader, Texts& texts, std::index_sequence<I...>) {
  return reader.read_row(texts[I]...);
}

qc_dtype DTypeIn(const std::string& text, const std::string& where) {
  auto dtype = ParseAbiDType(text);
  if (!dtype) throw InputError(where, "dtype '" + text + "'", "u8, s8 or f32");
  return *dtype;
}

// "255.m20": codes as a fill spells them.
Numbers CodesIn(const std::string& text, const std::string& where) {
  Numbers codes;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('.', begin), text.size());
    const Numbers one =
        ParseNumbers(WithSigns(text.substr(begin, end - begin)), true, where);
    if (one.size() != 1)
      throw InputError(where, "want '" + text + "'", "codes like 255.0.m3");
    codes.push_back(one[0]);
    begin = end + 1;
  }
  return codes;
}

std::string CodesText(const Numbers& codes) {
  std::string text;
  for (const int64_t code : codes)
    text += (text.empty() ? "" : ".") + WithoutSigns(std::to_string(code));
  return text;
}

SuiteRow RowFrom(const Texts& texts, const std::string& suite, const std::string& where) {
  SuiteRow row;
  row.suite = suite;
  row.operator_name = texts[kOperator];
  const RowOperator& op = RowOperatorOf(row, where);
  row.x = DTypeIn(texts[kX], where);
  row.y = DTypeIn(texts[kY], where);
  if (!texts[kW].empty()) row.w = DTypeIn(texts[kW], where);
  for (size_t i = 0; i < kRowFieldCount; ++i) {
    const RowField& field = RowFields()[i];
    const std::string& text = texts[kOwnColumns.size() + i];
    if (!text.empty() && !Uses(op, field)) {
      throw InputError(where, fmt::format("{} '{}'", field.column, text),
                       row.operator_name + " to have none");
    }
    SetField(row, field, text, where);
  }
  SetFill(row, texts[kFill], where);
  if (const std::string& tier = texts[kTier]; !tier.empty()) {
    auto parsed = ParseTier(tier);
    if (!parsed)
      throw InputError(where, "tier '" + tier + "'", "smoke, ci, nightly or full");
    row.tier = *parsed;
  }
  row.reported = texts[kReported];
  row.want = CodesIn(texts[kWant], where);
  CompleteRow(row, where);
  return row;
}

std::string Joined(const Texts& texts) {
  return fmt::format("{}\n", fmt::join(texts, ","));
}

}  // namespace

std::string SuiteCsvHeader() {
  Texts names;
  for (size_t i = 0; i < kColumns; ++i) names[i] = ColumnName(i);
  return Joined(names);
}

std::string SuiteCsvLine(const SuiteRow& row) {
  Texts texts;
  texts[kOperator] = row.operator_name;
  texts[kX] = AbiDTypeName(row.x);
  if (row.w != kNoDType) texts[kW] = AbiDTypeName(row.w);
  texts[kY] = AbiDTypeName(row.y);
  texts[kFill] = FillText(row);
  texts[kTier] = kTierNames[static_cast<size_t>(row.tier)];
  texts[kReported] = row.reported;
  texts[kWant] = CodesText(row.want);
  for (size_t i = 0; i < kRowFieldCount; ++i) {
    const RowField& field = RowFields()[i];
    if (!IsDefault(row, field)) texts[kOwnColumns.size() + i] = FieldText(row, field);
  }
  return Joined(texts);
}

std::vector<SuiteRow> ReadSuite(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::is_regular_file(file))
    throw InputError(name, "no such file", "a suite in CSV");
  std::vector<SuiteRow> rows;
  std::unordered_set<std::string> ids;
  try {
    Reader reader(name);
    constexpr auto kAll = std::make_index_sequence<kColumns>();
    ReadHeader(reader, kAll);
    for (const char* column : {"operator", "x", "y", "fill"}) {
      if (!reader.has_column(column))
        throw InputError(name, fmt::format("no column '{}'", column), "a suite in CSV");
    }
    Texts texts;
    while (ReadRow(reader, texts, kAll)) {
      const std::string where = name + ":" + std::to_string(reader.get_file_line());
      rows.push_back(RowFrom(texts, file.stem().string(), where));
      if (!ids.insert(IdOf(rows.back())).second)
        throw InputError(where, "this case stands in the file twice", "one row a case");
    }
  } catch (const io::error::base& error) {
    throw InputError(name, error.what(), "a suite in CSV");
  }
  if (rows.empty()) throw InputError(name, "no case in it", "at least one row");
  return rows;
}

}  // namespace qconform
