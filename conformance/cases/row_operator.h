// The operators that a suite may name: which operands they have and which fields of the
// row say something about them. Columns of the CSV file, ids and their parser all come
// from this table.
#ifndef QCONFORM_CONFORMANCE_CASES_ROW_OPERATOR_H_
#define QCONFORM_CONFORMANCE_CASES_ROW_OPERATOR_H_

#include <string>
#include <string_view>
#include <vector>

#include "conformance/cases/call_draft.h"
#include "conformance/cases/row_field.h"

namespace qconform {

// A field in the id of one operator.
struct FieldUse {
  const RowField* field;
  std::string word;
  bool always;  // there even if it is the default
};

struct RowOperator {
  std::string name;
  qc_operator_kind kind;
  size_t spatial_rank;  // of [n, c, size]; 0: any
  // The operands whose dtypes the id spells: "xwy", "xy", or "x(w)y" where w may be
  // absent.
  std::string_view operands;
  std::vector<FieldUse> what;   // words behind the dtypes
  std::vector<FieldUse> shape;  // words of the next part
  // Dtypes, shapes and roles of all tensors of a completed row.
  CallDraft (*draft)(const SuiteRow& row);
};

const std::vector<RowOperator>& RowOperators();

// nullptr for a name that is none.
const RowOperator* FindRowOperator(std::string_view name);
// Throws InputError that lists the names.
const RowOperator& RowOperatorOf(const SuiteRow& row, const std::string& where);

bool Uses(const RowOperator& op, const RowField& field);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_ROW_OPERATOR_H_
