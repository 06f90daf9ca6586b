#include "conformance/cases/subject_config.h"

#include <filesystem>

#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_file.h"
#include "reference/formats/sha256.h"

namespace qconform {
namespace {

SubjectConfig FromJson(const JsonFile& file, const std::string& origin) {
  ConfigFindings ignored;
  BackendConfig config = BackendConfigFromJson(file.root(), file, &ignored);
  const std::string text = file.root().dump();
  return {std::move(config), origin, text, Sha256Hex(text), std::move(ignored)};
}

}  // namespace

std::optional<SubjectConfig> ConfigOf(const LoadedBackend& backend,
                                      const std::string& name_or_file) {
  if (name_or_file.empty()) {
    if (backend.config.empty()) return std::nullopt;
    return FromJson(JsonFile::Parse(backend.config, "config of " + backend.name),
                    "the backend's own");
  }
  if (std::filesystem::is_regular_file(name_or_file))
    return FromJson(JsonFile::Read(name_or_file), name_or_file);
  const BackendConfig& config = BuiltInBackendConfig(name_or_file);
  const std::string text = BackendConfigToJson(config).dump();
  return SubjectConfig{config, "built-in " + name_or_file, text, Sha256Hex(text)};
}

}  // namespace qconform
