// The fields of a suite's row: each is a column of the CSV file, a word of the id and a
// member of the row. Reading and printing, of both, go through this table.
#ifndef QCONFORM_CONFORMANCE_CASES_ROW_FIELD_H_
#define QCONFORM_CONFORMANCE_CASES_ROW_FIELD_H_

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/cases/suite_row.h"

namespace qconform {

using RowMember =
    std::variant<Numbers SuiteRow::*, int64_t SuiteRow::*, Reals SuiteRow::*,
                 bool SuiteRow::*, std::string SuiteRow::*, Sides SuiteRow::*>;

struct RowField {
  std::string_view column;
  std::string_view word;  // in ids, unless the operator has another
  RowMember member;
  std::vector<std::string_view> choices = {};  // of a text; the first is the default
  // What an empty list stands for, once a dimension; -1: for nothing.
  int64_t neutral = -1;
  bool may_be_negative = false;
};

inline constexpr size_t kRowFieldCount = 66;
const std::array<RowField, kRowFieldCount>& RowFields();

// Precondition: there is such a column.
const RowField& FieldOfColumn(std::string_view column);

// As the CSV file spells it; "" for the default.
std::string FieldText(const SuiteRow& row, const RowField& field);
void SetField(SuiteRow& row, const RowField& field, const std::string& text,
              const std::string& where);
bool IsDefault(const SuiteRow& row, const RowField& field);

// As ids spell it: a minus is m, a decimal point _.
std::string IdText(const SuiteRow& row, const RowField& field);
void SetFromId(SuiteRow& row, const RowField& field, const std::string& text,
               const std::string& where);

// "3x3" -> {3, 3}. Throws InputError.
Numbers ParseNumbers(const std::string& text, bool may_be_negative,
                     const std::string& where);
Reals ParseReals(const std::string& text, const std::string& where);
// The shortest decimal that is the same float32.
std::string RealText(float value);

// The spelling of numbers in ids, there and back.
std::string WithoutSigns(std::string text);
std::string WithSigns(std::string text);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_CASES_ROW_FIELD_H_
