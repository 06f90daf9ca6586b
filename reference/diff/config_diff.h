// What tells two backend configs apart, row by row.
#ifndef QCONFORM_REFERENCE_DIFF_CONFIG_DIFF_H_
#define QCONFORM_REFERENCE_DIFF_CONFIG_DIFF_H_

#include <string>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/diff/config_document.h"
#include "reference/diff/field_changes.h"

namespace qconform {

struct ChangedRow {
  std::string pattern;  // as stored, last operation first
  std::vector<FieldChange> fields;
};

struct ConfigDifference {
  std::string name_before;
  std::string name_after;
  std::vector<FieldChange> members;    // of the files, unknown ones
  std::vector<std::string> gone;       // patterns that only the first has
  std::vector<std::string> added;      // that only the second has
  std::vector<ChangedRow> changed;     // in the first one's order
  std::vector<std::string> reordered;  // common rows that are tried in another order
  size_t same = 0;

  bool IsEmpty() const {
    return name_before == name_after && members.empty() && gone.empty() &&
           added.empty() && changed.empty() && reordered.empty();
  }
};

// Rows are paired by their stored pattern. Dtype configs of a row are paired when they
// are equal, then when they have the same dtypes, then by position.
ConfigDifference DiffConfigs(const BackendConfig& a, const BackendConfig& b);
// The same with what files hold beyond what their reader knows.
ConfigDifference DiffConfigs(const ConfigDocument& a, const ConfigDocument& b);

// "<" and ">" lines as diff(1) has them, then one line "N rows changed: ..."; empty for
// no difference.
std::string ToText(const ConfigDifference& difference);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_CONFIG_DIFF_H_
