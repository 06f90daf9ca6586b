#include "reference/lint/config_rows.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "reference/config/backend_config_json.h"
#include "reference/config/canonical_name.h"
#include "reference/config/literal_json.h"
#include "reference/ir/dtype.h"
#include "reference/ir/error.h"
#include "reference/ir/nearest_name.h"

namespace qconform {
namespace {

const std::vector<std::string>& DTypeNames() {
  static const std::vector<std::string> names = {
      "torch.float32",     "torch.float64",      "torch.float16",  "torch.bfloat16",
      "torch.int8",        "torch.uint8",        "torch.int16",    "torch.uint16",
      "torch.int32",       "torch.int64",        "torch.bool",     "torch.quint8",
      "torch.qint8",       "torch.qint32",       "torch.quint4x2", "torch.quint2x4",
      "torch.float8_e5m2", "torch.float8_e4m3fn"};
  return names;
}

const std::vector<std::string>& ObservationTypeNames() {
  static const std::vector<std::string> names = {"OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT",
                                                 "OUTPUT_SHARE_OBSERVER_WITH_INPUT",
                                                 "INPUT_OUTPUT_NOT_OBSERVED"};
  return names;
}

// As deep as JSON may nest.
const ordered_json* FindString(const ordered_json& json, const std::string& text) {
  if (json.is_string()) {
    return CanonicalName(json.get_ref<const std::string&>()) == text ? &json : nullptr;
  }
  if (!json.is_structured()) return nullptr;
  for (const ordered_json& item : json) {
    if (const ordered_json* found = FindString(item, text)) return found;
  }
  return nullptr;
}

}  // namespace

ConfigRows::ConfigRows(const JsonFile& file, bool built_in)
    : file_(file), built_in_(built_in) {
  const ordered_json& root = RequireObject(file.root(), "a backend config", file);
  config_ = BackendConfig(TextValue(root, "name", file.name()));
  const ordered_json* items = FindValue(root, "configs");
  if (items == nullptr) {
    throw InputError(file.Where(root), "there are no 'configs'",
                     "{\"name\": NAME, \"configs\": [...]}");
  }
  RequireArray(*items, "'configs'", file);
  for (size_t i = 0; i < items->size(); ++i) ReadRow((*items)[i], i);
  std::unordered_map<std::string, size_t> last;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const auto [found, is_new] = last.emplace(rows_[i].key.Text(), i);
    if (is_new) continue;
    rows_[found->second].replaced_by = i;
    found->second = i;
  }
}

void ConfigRows::ReadRow(const ordered_json& item, size_t index) {
  ConfigRow row;
  row.index = index;
  row.json = &RequireObject(item, "an entry of a backend config", file_);
  if (HasUnreadableNames(row)) return;
  ConfigFindings ignored;
  row.config = BackendPatternConfigFromJson(item, file_, &ignored);
  try {
    row.key = row.config.InternalKey();
    config_.Set(row.config);
  } catch (const PipelineError& error) {
    throw InputError(file_.Where(item), error.what());
  }
  for (ConfigFinding& finding : ignored) {
    const bool beyond = finding.what.find("beyond torch") != std::string::npos;
    findings_.push_back(
        {index,
         {LintSeverity::kWarning, beyond ? "beyond_torch" : "unknown_key",
          built_in_ ? Where(row, item) : finding.where, row.key.HumanText(),
          finding.what + (beyond ? "" : ", expected " + finding.expected),
          beyond ? "enforced" : ""}});
  }
  rows_.push_back(std::move(row));
}

bool ConfigRows::IsUnreadableDType(const ConfigRow& row, const ordered_json& value,
                                   const std::string& side) {
  const ordered_json* dtype = value.is_object() ? FindValue(value, "dtype") : &value;
  if (dtype == nullptr || !dtype->is_string()) return false;
  const std::string& name = dtype->get_ref<const std::string&>();
  if (ParseDType(name)) return false;
  Add(LintSeverity::kError, "unknown_name", row, *dtype, side,
      "unknown dtype '" + name.substr(0, 80) + "'" + NearestNameHint(name, DTypeNames()));
  return true;
}

bool ConfigRows::HasUnreadableNames(const ConfigRow& row) {
  bool unreadable = false;
  if (const ordered_json* type = FindValue(*row.json, "observation_type");
      type != nullptr && type->is_string() &&
      !ParseObservationType(type->get_ref<const std::string&>())) {
    const std::string& name = type->get_ref<const std::string&>();
    Add(LintSeverity::kError, "unknown_name", row, *type, "observation_type",
        "unknown observation type '" + name.substr(0, 80) + "'" +
            NearestNameHint(name, ObservationTypeNames()));
    unreadable = true;
  }
  const ordered_json* configs = FindValue(*row.json, "dtype_configs");
  if (configs == nullptr || !configs->is_array()) return unreadable;
  for (const ordered_json& config : *configs) {
    if (!config.is_object()) continue;
    for (const char* side :
         {"input_dtype", "output_dtype", "weight_dtype", "bias_dtype"}) {
      if (const ordered_json* value = FindValue(config, side)) {
        unreadable = IsUnreadableDType(row, *value, side) || unreadable;
      }
    }
  }
  return unreadable;
}

std::string ConfigRows::Where(const ConfigRow& row, const ordered_json& value) const {
  if (built_in_) return file_.name() + " row " + std::to_string(row.index + 1);
  return file_.Where(value);
}

const ordered_json& ConfigRows::At(const ordered_json& json,
                                   std::initializer_list<std::string_view> path) {
  const ordered_json* at = &json;
  for (const std::string_view key : path) {
    const ordered_json* member = at->is_object() ? FindMember(*at, key) : nullptr;
    if (member == nullptr) break;
    at = member;
  }
  return *at;
}

const ordered_json& ConfigRows::AtName(const ConfigRow& row, const std::string& text) {
  const ordered_json* pattern = FindValue(*row.json, "pattern");
  if (pattern == nullptr) pattern = FindValue(*row.json, "pattern_complex_format");
  if (pattern == nullptr) return *row.json;
  const ordered_json* found = FindString(*pattern, text);
  return found == nullptr ? *pattern : *found;
}

void ConfigRows::Add(LintSeverity severity, const char* kind, const ConfigRow& row,
                     const ordered_json& value, std::string subject, std::string text,
                     std::string strict) {
  findings_.push_back({row.index,
                       {severity, kind, Where(row, value), std::move(subject),
                        std::move(text), std::move(strict)}});
}

LintFindings ConfigRows::TakeFindings() {
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](const Numbered& a, const Numbered& b) { return a.row < b.row; });
  LintFindings findings;
  for (Numbered& numbered : findings_) findings.push_back(std::move(numbered.finding));
  return findings;
}

}  // namespace qconform
