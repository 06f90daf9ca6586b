// From a row to its id, and the way back.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/cases/row_operator.h"
#include "conformance/cases/split_text.h"
#include "conformance/host/operator_call.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

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

// A zero point stands where there are codes.
bool HasPlace(const SuiteRow& row, const RowField& field) {
  if (field.column == "zx") return row.x != QC_F32 && row.x != QC_S64;
  if (field.column == "zy") return row.y != QC_F32 && row.y != QC_S32;
  return true;
}

bool IsFlag(const RowField& field) {
  return std::holds_alternative<bool SuiteRow::*>(field.member);
}

std::string Words(const SuiteRow& row, const std::vector<FieldUse>& uses) {
  std::string words;
  for (const FieldUse& use : uses) {
    if (!HasPlace(row, *use.field) || (!use.always && IsDefault(row, *use.field)))
      continue;
    words += "." + use.word + (IsFlag(*use.field) ? "" : IdText(row, *use.field));
  }
  return words;
}

// The field that a word is about: the one with the longest name in front of it.
const FieldUse* FindUse(const std::vector<FieldUse>& uses, const std::string& word) {
  const FieldUse* found = nullptr;
  for (const FieldUse& use : uses) {
    const auto& choices = use.field->choices;
    bool fits = IsFlag(*use.field) ? word == use.word : word.starts_with(use.word);
    if (fits && !choices.empty()) {
      const std::string_view value = std::string_view(word).substr(use.word.size());
      fits = std::find(choices.begin(), choices.end(), value) != choices.end();
    }
    if (fits && (found == nullptr || use.word.size() > found->word.size())) found = &use;
  }
  return found;
}

void ReadWord(const std::vector<FieldUse>& uses, const std::string& word,
              const std::string& where, SuiteRow& row) {
  const FieldUse* use = FindUse(uses, word);
  if (use == nullptr) {
    std::vector<std::string> names;
    for (const FieldUse& known : uses)
      names.push_back(known.word.empty() ? std::string(known.field->column) : known.word);
    throw InputError(where, "'" + word + "'",
                     fmt::format("a word of {} and its value, like c64; the words are {}",
                                 row.operator_name, fmt::join(names, ", ")));
  }
  if (IsFlag(*use->field)) return SetField(row, *use->field, "yes", where);
  const std::string value = word.substr(use->word.size());
  if (value.empty()) throw InputError(where, "'" + word + "'", "a value behind it");
  SetFromId(row, *use->field, value, where);
}

void ReadDTypes(const std::string& text, const RowOperator& op, const std::string& where,
                SuiteRow& row) {
  const std::vector<std::string> names = SplitDTypes(text);
  const bool second = names.size() == 3;
  if (names.size() != 2 && !second) {
    throw InputError(where, "dtypes '" + text + "'",
                     "those of the operands, like u8s8u8");
  }
  if (op.operands == (second ? "xy" : "xwy")) {
    throw InputError(where, "dtypes '" + text + "'",
                     second ? "one operand" : "two operands");
  }
  std::vector<qc_dtype*> targets = {&row.x, &row.w, &row.y};
  if (!second) targets = {&row.x, &row.y};
  for (size_t i = 0; i < names.size(); ++i) {
    auto dtype = ParseAbiDType(names[i]);
    if (!dtype) throw InputError(where, "dtype '" + names[i] + "'", "u8, s8 or f32");
    *targets[i] = *dtype;
  }
}

}  // namespace

std::string GroupOf(const SuiteRow& row) {
  const RowOperator& op = RowOperatorOf(row, row.suite);
  std::string group =
      fmt::format("{}/{}.{}{}{}", row.suite, row.operator_name, AbiDTypeName(row.x),
                  row.w == kNoDType ? "" : AbiDTypeName(row.w), AbiDTypeName(row.y));
  if (!op.what.empty() && op.what[0].field->column == "weights")
    group += "." + row.weights;
  return group;
}

std::string IdOf(const SuiteRow& row) {
  const RowOperator& op = RowOperatorOf(row, row.suite);
  const bool weights = !op.what.empty() && op.what[0].field->column == "weights";
  const std::vector<FieldUse> what(op.what.begin() + (weights ? 1 : 0), op.what.end());
  return GroupOf(row) + Words(row, what) + "/" + Words(row, op.shape).substr(1) + "/" +
         FillText(row);
}

std::string DataKeyOf(const SuiteRow& row) {
  return row.draw == 0 ? IdOf(row) : fmt::format("{}/draw.{}", IdOf(row), row.draw);
}

SuiteRow RowFromId(const std::string& id) {
  const std::string where = "case id '" + id + "'";
  const std::vector<std::string> parts = SplitText(id, '/');
  if (parts.size() != 4 && parts.size() != 5)
    throw InputError(where, "not a case id",
                     "suite/what/shape/fill, and /seed.N at most");
  SuiteRow row;
  row.suite = parts[0];
  const std::vector<std::string> what = SplitText(parts[1], '.');
  row.operator_name = what[0];
  const RowOperator& op = RowOperatorOf(row, where);
  if (what.size() < 2)
    throw InputError(where, "'" + parts[1] + "' has no dtypes", "operator.dtypes");
  ReadDTypes(what[1], op, where, row);
  for (size_t i = 2; i < what.size(); ++i) ReadWord(op.what, what[i], where, row);
  for (const std::string& word : SplitText(parts[2], '.'))
    ReadWord(op.shape, word, where, row);
  SetFill(row, parts.size() == 4 ? parts[3] : parts[3] + "/" + parts[4], where);
  CompleteRow(row, where);
  return row;
}

}  // namespace qconform
