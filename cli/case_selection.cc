#include "cli/case_selection.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/data_folder.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel_cases.h"
#include "reference/config/backend_config_json.h"
#include "reference/formats/sha256.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// Where suites lie by name, unless the environment says otherwise.
fs::path SuiteFolder() {
  if (const char* folder = std::getenv("QCONFORM_SUITES")) return folder;
  return DataFolder("suites", QCONFORM_SUITE_DIR);
}

class Collector {
 public:
  void AddSource(const std::string& name, const std::string& digest,
                 const std::string& argument, std::vector<CaseSource> cases) {
    selection_.suite += (selection_.suite.empty() ? "" : "+") + name;
    selection_.arguments += " " + argument;
    digests_ += digest;
    for (CaseSource& source : cases) selection_.cases.push_back(std::move(source));
  }

  Selection Finish(const std::string& filter_text) {
    const Filter filter(filter_text);
    std::erase_if(selection_.cases, [&filter](const CaseSource& source) {
      return !filter.Selects(source.id);
    });
    selection_.digest = Sha256Hex(digests_);
    return std::move(selection_);
  }

 private:
  Selection selection_;
  std::string digests_;
};

}  // namespace

void AddSelectionOptions(CLI::App& verb, SelectionOptions& options) {
  verb.add_option("--suite", options.suites,
                  "Suite: a CSV file, or a name in datasets/suites (default first_light, "
                  "unless --golden or --case is given)");
  verb.add_option("--golden", options.goldens, "Folder of a golden");
  verb.add_option("--case", options.cases, "One case by its id alone");
  verb.add_option("--filter", options.filter,
                  "GoogleTest's filter grammar over case ids: A*:B*-C*");
}

Selection SelectCases(const SelectionOptions& options) {
  Collector collector;
  std::vector<std::string> suites = options.suites;
  if (suites.empty() && options.goldens.empty() && options.cases.empty())
    suites.emplace_back("first_light");
  for (const std::string& suite : suites) {
    const fs::path file = SuiteFile(suite, SuiteFolder());
    collector.AddSource(file.stem().string(), Sha256HexOfFile(file), "--suite " + suite,
                        SuiteCases(ReadSuite(file)));
  }
  for (const std::string& folder : options.goldens) {
    auto golden = std::make_shared<const Golden>(ReadGolden(folder));
    const std::string name = GoldenName(*golden);
    collector.AddSource(name, Sha256HexOfFile(fs::path(folder) / "manifest.json"),
                        "--golden " + folder, GoldenCases(std::move(golden)));
  }
  for (const std::string& id : options.cases) {
    const SuiteRow row = RowFromId(id);
    collector.AddSource(row.suite, Sha256Hex(id), "--case '" + id + "'",
                        SuiteCases({row}));
  }
  return collector.Finish(options.filter);
}

void AddContract(const BackendConfig& config, const std::string& filter_text,
                 Selection& selection) {
  const Filter filter(filter_text);
  for (CaseSource& source :
       KernelContractCases(std::make_shared<const BackendConfig>(config))) {
    if (filter.Selects(source.id)) selection.cases.push_back(std::move(source));
  }
  const std::string name = ContractName(config) + "/contract";
  selection.suite += (selection.suite.empty() ? "" : "+") + name;
  selection.arguments += " --contract";
  selection.digest = Sha256Hex(selection.digest + BackendConfigToJson(config).dump());
}

}  // namespace qconform
