// Differences between two JSON values, field by field.
#ifndef QCONFORM_REFERENCE_DIFF_FIELD_CHANGES_H_
#define QCONFORM_REFERENCE_DIFF_FIELD_CHANGES_H_

#include <string>
#include <vector>

#include "reference/formats/json_file.h"

namespace qconform {

struct FieldChange {
  std::string field;   // "weight.scale_min_lower_bound"
  std::string before;  // "2^-12"; "none" for an absent one
  std::string after;
  bool operator==(const FieldChange&) const = default;
};

// "2^-12" for powers of two that are no plain numbers, else the shortest text; "none"
// for null.
std::string ValueText(const ordered_json& value);

// Every leaf (an empty list or object is one) that differs, in a's order, then what only
// b has. Lists are compared by position. As deep as JSON may nest.
std::vector<FieldChange> FieldChanges(const ordered_json& a, const ordered_json& b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_FIELD_CHANGES_H_
