#include "reference/diff/config_document.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "reference/config/backend_config_json.h"
#include "reference/config/dtype_config_json.h"
#include "reference/formats/json_value.h"

namespace qconform {
namespace {

using Keys = std::vector<std::string>;

// The members whose keys are not known, in the order of their names: in which order
// they stand in the file is no difference. Null counts as absent, as in torch.
ordered_json UnknownMembers(const ordered_json& object, const Keys& known) {
  std::map<std::string, const ordered_json*> unknown;
  if (object.is_object()) {
    for (const auto& [key, value] : object.items()) {
      const bool is_known = std::find(known.begin(), known.end(), key) != known.end();
      if (!is_known && !value.is_null()) unknown[key] = &value;
    }
  }
  ordered_json members = ordered_json::object();
  for (const auto& [key, value] : unknown) members[key] = *value;
  return members;
}

bool IsUnknownDType(const ordered_json& value) {
  return value.is_string() && !ParseDType(value.get<std::string>());
}

// One side of a dtype config, a name or a dtype with constraints, if its dtype is
// unknown; {"dtype": NAME, ...}.
std::optional<ordered_json> UnknownSide(const ordered_json& side) {
  if (IsUnknownDType(side)) return ordered_json{{"dtype", side}};
  if (!side.is_object()) return std::nullopt;
  const ordered_json* dtype = FindMember(side, "dtype");
  if (dtype == nullptr || !IsUnknownDType(*dtype)) return std::nullopt;
  ordered_json unknown = {{"dtype", *dtype}};
  for (const auto& [key, value] : side.items()) {
    if (!value.is_null()) unknown[key] = value;
  }
  return unknown;
}

// Takes what is unknown out of dtype configs.
ordered_json TakeFromDTypeConfigs(ordered_json& configs) {
  ordered_json taken = ordered_json::array();
  if (!configs.is_array()) return taken;
  for (ordered_json& config : configs) {
    ordered_json unknown = UnknownMembers(config, DTypeConfigKeys());
    for (const char* key : {"input_dtype", "output_dtype", "weight_dtype"}) {
      const ordered_json* side = config.is_object() ? FindMember(config, key) : nullptr;
      if (side == nullptr) continue;
      if (std::optional<ordered_json> whole = UnknownSide(*side)) {
        unknown[key] = std::move(*whole);
        config.erase(key);
      } else if (ordered_json rest = UnknownMembers(*side, DTypeConstraintKeys());
                 !rest.empty()) {
        unknown[key] = std::move(rest);
      }
    }
    taken.push_back(std::move(unknown));
  }
  return taken;
}

// Adds the members of objects and the items of lists at their places.
void Merge(ordered_json& into, const ordered_json& from) {
  for (const auto& [key, value] : from.items()) {
    ordered_json& place = from.is_array() ? into[std::stoul(key)] : into[key];
    if (value.is_structured() && place.is_structured()) {
      Merge(place, value);
    } else {
      place = value;
    }
  }
}

}  // namespace

ConfigDocument ReadConfigDocument(const JsonFile& file) {
  ConfigDocument document;
  document.members = UnknownMembers(file.root(), {"name", "configs"});
  ordered_json known = file.root();
  std::vector<ordered_json> unknown;  // by row
  if (known.is_object() && known.contains("configs") && known["configs"].is_array()) {
    for (ordered_json& row : known["configs"]) {
      ordered_json& taken =
          unknown.emplace_back(UnknownMembers(row, BackendPatternConfigKeys()));
      if (!row.is_object() || !row.contains("dtype_configs")) continue;
      taken["dtype_configs"] = TakeFromDTypeConfigs(row["dtype_configs"]);
    }
  }
  // Errors name the line where nothing was taken out.
  ConfigFindings ignored;
  document.config = known == file.root()
                        ? BackendConfigFromJson(file.root(), file, &ignored)
                        : BackendConfigFromJson(known, file.name(), &ignored);
  for (size_t i = 0; i < unknown.size(); ++i) {
    const BackendPatternConfig row =
        BackendPatternConfigFromJson(known["configs"][i], file.name(), &ignored);
    // Of rows with one key the last one counts.
    document.rows[row.InternalKey().Text()] = std::move(unknown[i]);
  }
  return document;
}

ordered_json RowOf(const ConfigDocument& document, const BackendConfig::Entry& entry) {
  ordered_json row = BackendPatternConfigToJson(entry.config);
  const auto found = document.rows.find(entry.key.Text());
  if (found != document.rows.end()) Merge(row, found->second);
  return row;
}

}  // namespace qconform
