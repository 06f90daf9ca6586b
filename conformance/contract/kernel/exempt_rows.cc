#include "conformance/contract/kernel/exempt_rows.h"

#include "datasets/csv.h"
#include "reference/formats/write_file.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

using Reader =
    io::CSVReader<3, io::trim_chars<' ', '\t', '\r'>, io::double_quote_escape<',', '"'>,
                  io::throw_on_overflow, io::single_line_comment<'#'>>;

ExemptRows ParseExemptRows(const std::string& name, const std::string& text) {
  ExemptRows rows;
  try {
    Reader reader(name, text.data(), text.data() + text.size());
    reader.read_header(io::ignore_no_column, "row", "dtypes", "reason");
    ExemptRow row;
    while (reader.read_row(row.row, row.dtypes, row.reason)) {
      if (row.row.empty() || row.dtypes.empty() || row.reason.empty())
        throw InputError(name + ":" + std::to_string(reader.get_file_line()),
                         "a field is empty", "row, dtypes (or any) and reason");
      rows.push_back(row);
    }
  } catch (const io::error::base& error) {
    const auto* at = dynamic_cast<const io::error::with_file_line*>(&error);
    throw InputError(at == nullptr ? name : name + ":" + std::to_string(at->file_line),
                     error.what(), "columns row, dtypes, reason");
  }
  return rows;
}

}  // namespace

const ExemptRows& BuiltInExemptRows() {
  static const auto* const rows =
      new ExemptRows(ParseExemptRows("exempt_rows.csv", ExemptRowsText()));
  return *rows;
}

ExemptRows ReadExemptRows(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file))
    throw InputError(file.string(), "no such file", "exempt rows in CSV");
  return ParseExemptRows(file.string(), ReadFileBytes(file));
}

const ExemptRow* FindExemption(const ExemptRows& rows, const std::string& pattern,
                               const std::string& operator_name,
                               const std::string& dtypes) {
  for (const ExemptRow& row : rows) {
    const bool named = row.row == "any" || row.row == pattern || row.row == operator_name;
    if (named && (row.dtypes == "any" || row.dtypes == dtypes)) return &row;
  }
  return nullptr;
}

}  // namespace qconform
