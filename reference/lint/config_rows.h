// A backend config under lint: every row of the file with the place of its values.
#ifndef QCONFORM_REFERENCE_LINT_CONFIG_ROWS_H_
#define QCONFORM_REFERENCE_LINT_CONFIG_ROWS_H_

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/config/backend_config.h"
#include "reference/formats/json_file.h"
#include "reference/lint/finding.h"

namespace qconform {

struct ConfigRow {
  size_t index = 0;  // in the file's list
  const ordered_json* json = nullptr;
  BackendPatternConfig config;
  Pattern key;
  // A later row with the same pattern takes this one's place.
  std::optional<size_t> replaced_by;

  bool InForce() const { return !replaced_by.has_value(); }
};

class ConfigRows {
 public:
  // Reads all rows and finds names that the reader would refuse. A row with such a name
  // is left out. `built_in`: places are rows, not lines. The file outlives this. Throws
  // InputError.
  ConfigRows(const JsonFile& file, bool built_in);

  const std::vector<ConfigRow>& rows() const { return rows_; }
  // As torch would hold it.
  const BackendConfig& config() const { return config_; }

  // "file:line" of a value of the row, or "name row N".
  std::string Where(const ConfigRow& row, const ordered_json& value) const;
  // The value at a path below the row's JSON, as deep as it exists.
  static const ordered_json& At(const ordered_json& json,
                                std::initializer_list<std::string_view> path);
  // The string `text` inside the row's pattern, else the pattern.
  static const ordered_json& AtName(const ConfigRow& row, const std::string& text);

  void Add(LintSeverity severity, const char* kind, const ConfigRow& row,
           const ordered_json& value, std::string subject, std::string text,
           std::string strict = "");

  LintFindings TakeFindings();

 private:
  void ReadRow(const ordered_json& item, size_t index);
  bool HasUnreadableNames(const ConfigRow& row);
  bool IsUnreadableDType(const ConfigRow& row, const ordered_json& value,
                         const std::string& side);

  const JsonFile& file_;
  bool built_in_;
  std::vector<ConfigRow> rows_;
  BackendConfig config_;
  struct Numbered {
    size_t row;
    LintFinding finding;
  };
  std::vector<Numbered> findings_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_LINT_CONFIG_ROWS_H_
