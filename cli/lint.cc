#include "cli/lint.h"

#include <fmt/core.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "reference/backends/backends.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/json_text.h"
#include "reference/ir/error.h"
#include "reference/lint/config_table.h"
#include "reference/lint/lint_config.h"
#include "reference/lint/lint_mapping.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/qconfig_json.h"
#include "reference/qconfig/qconfig_mapping_json.h"

namespace qconform {
namespace {

struct LintArguments {
  std::string config;
  std::string mapping;
  Mode mode = Mode::kTorch;
  bool json = false;
  bool table = false;
};

LintFindings FindInConfig(const std::string& config) {
  if (!IsBuiltInBackend(config)) {
    return LintBackendConfig(JsonFile::Read(config));
  }
  const ordered_json json = BackendConfigToJson(BuiltInBackendConfig(config));
  return LintBackendConfig(JsonFile::Parse(json.dump(1), config), true);
}

// Writes the qconfigs that stand by name in a mapping out in full, which is how they are
// judged; false if there is none.
bool WriteNamesOut(ordered_json& mapping) {
  bool any = false;
  const auto write_out = [&](ordered_json& qconfig) {
    if (!qconfig.is_string()) return;
    const QConfigPointer named = NamedQConfig(qconfig.get<std::string>());
    if (named == nullptr) return;
    qconfig = QConfigToJson(named);
    any = true;
  };
  if (!mapping.is_object()) return false;
  for (auto& [level, value] : mapping.items()) {
    if (level.empty() || level == "global") {
      write_out(value);
    } else if (value.is_array()) {
      for (ordered_json& rule : value) {
        if (rule.is_array() && !rule.empty()) write_out(rule.back());
      }
    }
  }
  return any;
}

JsonFile MappingFile(const std::string& name_or_file) {
  if (const auto named = NamedQConfigMapping(name_or_file)) {
    return JsonFile::Parse(QConfigMappingToJson(*named).dump(1), name_or_file);
  }
  JsonFile file = JsonFile::Read(name_or_file);
  ordered_json mapping = file.root();
  if (!WriteNamesOut(mapping)) return file;
  // A name that there is not is a mistake of the file itself.
  QConfigMappingFromJson(file.root(), file);
  return JsonFile::Parse(JsonText(mapping), name_or_file + " (names written out)");
}

ordered_json TableJson(const std::vector<CapabilityRow>& rows) {
  ordered_json json = ordered_json::array();
  for (const CapabilityRow& row : rows) {
    json.push_back({{"pattern", row.pattern},
                    {"input", row.input},
                    {"weight", row.weight},
                    {"bias", row.bias},
                    {"output", row.output},
                    {"how", row.how},
                    {"qat", row.training},
                    {"notes", row.notes}});
  }
  return json;
}

int PrintTable(const LintArguments& arguments) {
  if (arguments.config.empty()) {
    throw InputError("command line", "--table without CONFIG", "a backend config");
  }
  const std::vector<CapabilityRow> rows =
      CapabilityTable(*LoadBackendConfig(arguments.config));
  fmt::print("{}",
             arguments.json ? TableJson(rows).dump(1) + "\n" : CapabilityText(rows));
  return kExitAsExpected;
}

// Its ignored keys are findings already.
std::shared_ptr<const BackendConfig> ConfigBesideMapping(const std::string& config) {
  if (IsBuiltInBackend(config)) return LoadBackendConfig(config);
  const JsonFile file = JsonFile::Read(config);
  ConfigFindings ignored;
  return std::make_shared<BackendConfig>(
      BackendConfigFromJson(file.root(), file, &ignored));
}

int Lint(const LintArguments& arguments) {
  if (arguments.table) return PrintTable(arguments);
  if (arguments.config.empty() && arguments.mapping.empty()) {
    throw InputError("command line", "nothing to judge",
                     "CONFIG, --mapping FILE or both");
  }
  LintFindings findings;
  if (!arguments.config.empty()) findings = FindInConfig(arguments.config);
  if (!arguments.mapping.empty()) {
    std::shared_ptr<const BackendConfig> config;
    if (!arguments.config.empty()) config = ConfigBesideMapping(arguments.config);
    for (LintFinding& finding :
         LintMapping(MappingFile(arguments.mapping), config.get())) {
      findings.push_back(std::move(finding));
    }
  }
  findings = FindingsIn(arguments.mode, findings);
  if (arguments.json) {
    ordered_json list = ordered_json::array();
    for (const LintFinding& finding : findings) {
      list.push_back(LintFindingToJson(finding));
    }
    fmt::print(
        "{}\n",
        ordered_json{{"findings", list}, {"summary", LintSummary(findings)}}.dump(1));
  } else {
    for (const LintFinding& finding : findings) fmt::print("{}\n", ToText(finding));
    fmt::print("{}\n", LintSummary(findings));
  }
  return HasErrors(findings) ? kExitCaseFailed : kExitAsExpected;
}

}  // namespace

void AddLintVerb(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<LintArguments>();
  CLI::App* verb = app.add_subcommand(
      "lint", "Judge a backend config or a qconfig mapping alone, without a model");
  verb->add_option("CONFIG", arguments->config, "backend config: name or JSON file");
  verb->add_option(
      "--mapping", arguments->mapping,
      "qconfig mapping: name or JSON file; with CONFIG also what CONFIG has no row for");
  verb->add_option("--mode", arguments->mode,
                   "torch: every finding; strict: those that strict mode does not settle")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Mode>{
          {"torch", Mode::kTorch}, {"strict", Mode::kStrict}}));
  verb->add_flag("--json", arguments->json, "JSON in place of lines");
  verb->add_flag("--table", arguments->table,
                 "print what CONFIG can do: pattern, dtypes, static, dynamic, QAT");
  verb->footer(
      "Each finding: place, severity, what, and what is wrong; \"(strict: ...)\" says "
      "what --mode=strict does instead.\n"
      "Exit code: 0 no finding of severity error, 1 some, 4 bad input.");
  verb->callback([arguments, &exit_code] { exit_code = Lint(*arguments); });
}

}  // namespace qconform
