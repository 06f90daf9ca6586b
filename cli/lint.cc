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
#include "reference/ir/error.h"
#include "reference/lint/config_table.h"
#include "reference/lint/lint_config.h"
#include "reference/lint/lint_mapping.h"

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
    if (!arguments.config.empty()) config = LoadBackendConfig(arguments.config);
    for (LintFinding& finding :
         LintMapping(JsonFile::Read(arguments.mapping), config.get())) {
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
      "qconfig mapping as JSON; with CONFIG also what CONFIG has no row for");
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
