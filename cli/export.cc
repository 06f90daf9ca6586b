#include "cli/export.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_text.h"
#include "reference/ir/error.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

[[noreturn]] void RefuseName(const std::string& verb, const std::string& name,
                             const std::vector<std::string>& names) {
  throw InputError(verb, "there is no '" + name + "'",
                   fmt::format("one of {}", fmt::join(names, ", ")));
}

ordered_json ConfigJson(const std::string& name) {
  if (!IsBuiltInBackend(name)) RefuseName("export config", name, BuiltInBackendNames());
  return BackendConfigToJson(BuiltInBackendConfig(name));
}

ordered_json MappingJson(const std::string& name) {
  const std::optional<QConfigMapping> mapping = NamedQConfigMapping(name);
  if (!mapping) RefuseName("export mapping", name, QConfigMappingNames());
  return QConfigMappingToJson(*mapping);
}

void AddKind(CLI::App& verb, const char* kind, const char* description,
             const std::vector<std::string>& names,
             ordered_json (*make)(const std::string& name), int& exit_code) {
  auto name = std::make_shared<std::string>();
  CLI::App* exported = verb.add_subcommand(kind, description);
  exported->add_option("NAME", *name, fmt::format("one of {}", fmt::join(names, ", ")))
      ->required();
  exported->footer("Exit code: 0 printed, 4 there is none of that name.");
  exported->callback([name, make, &exit_code] {
    fmt::print("{}", JsonText(make(*name)));
    exit_code = kExitAsExpected;
  });
}

}  // namespace

void AddExportVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "export", "A built-in config or mapping as JSON; a golden or a case as ONNX model");
  verb->require_subcommand(1);
  AddKind(*verb, "config", "A backend config, as --config takes it",
          BuiltInBackendNames(), ConfigJson, exit_code);
  AddKind(*verb, "mapping", "One of torch's qconfig mappings, as --mapping takes it",
          QConfigMappingNames(), MappingJson, exit_code);
}

}  // namespace qconform
