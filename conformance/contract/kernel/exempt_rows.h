// Rows that a kernel backend cannot be asked for: a reviewed list, with reasons.
#ifndef QCONFORM_CONFORMANCE_CONTRACT_KERNEL_EXEMPT_ROWS_H_
#define QCONFORM_CONFORMANCE_CONTRACT_KERNEL_EXEMPT_ROWS_H_

#include <filesystem>
#include <string>
#include <vector>

namespace qconform {

struct ExemptRow {
  // A pattern's text, the name of the operator that it computes, or "any".
  std::string row;
  std::string dtypes;  // as DTypeWords gives them, or "any"
  std::string reason;
};

using ExemptRows = std::vector<ExemptRow>;

// exempt_rows.csv, compiled in.
const char* ExemptRowsText();
const ExemptRows& BuiltInExemptRows();

// Columns row, dtypes, reason; lines that begin with # are comments. Throws InputError,
// with the line, on a malformed file and on a field that is empty.
ExemptRows ReadExemptRows(const std::filesystem::path& file);

// nullptr: the row of this pattern and operator ("" for none) needs a case.
const ExemptRow* FindExemption(const ExemptRows& rows, const std::string& pattern,
                               const std::string& operator_name,
                               const std::string& dtypes);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CONTRACT_KERNEL_EXEMPT_ROWS_H_
