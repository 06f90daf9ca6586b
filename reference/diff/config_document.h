// A backend config with what its file holds beyond what its reader knows.
#ifndef QCONFORM_REFERENCE_DIFF_CONFIG_DOCUMENT_H_
#define QCONFORM_REFERENCE_DIFF_CONFIG_DOCUMENT_H_

#include <optional>
#include <string>
#include <unordered_map>

#include "reference/config/backend_config.h"
#include "reference/formats/json_file.h"

namespace qconform {

// Two releases of a config differ in such places first: a key or a dtype that is new.
struct ConfigDocument {
  BackendConfig config;
  // Unknown members of the file itself; nullopt for a config that is in no file.
  std::optional<ordered_json> members = std::nullopt;
  // By the text of a row's key what BackendPatternConfigToJson does not write of it, in
  // the same places: unknown members, and sides of dtype configs whose dtype is unknown,
  // which `config` does not have.
  std::unordered_map<std::string, ordered_json> rows = {};
};

// Throws InputError as BackendConfigFromJson does, but for unknown dtypes.
ConfigDocument ReadConfigDocument(const JsonFile& file);

// The row as JSON with what the document holds beyond it.
ordered_json RowOf(const ConfigDocument& document, const BackendConfig::Entry& entry);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_DIFF_CONFIG_DOCUMENT_H_
