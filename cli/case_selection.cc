#include "cli/case_selection.h"

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/data_folder.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "reference/formats/sha256.h"
#include "reference/ir/error.h"

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

  void AddArgument(const std::string& argument) {
    selection_.arguments += " " + argument;
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

std::vector<std::string> NamedSuites(const SelectionOptions& options) {
  std::vector<std::string> names;
  for (const std::string& suite : options.suites) {
    if (suite != "all") {
      names.push_back(suite);
      continue;
    }
    for (const std::string& name : SuiteNames(SuiteFolder())) names.push_back(name);
  }
  if (names.empty() && options.goldens.empty() && options.cases.empty())
    names.emplace_back("first_light");
  return names;
}

Tier TierOf(const SelectionOptions& options) {
  const auto tier = ParseTier(options.tier);
  if (!tier)
    throw InputError("--tier", "'" + options.tier + "'", "smoke, ci, nightly or full");
  return *tier;
}

}  // namespace

void AddSelectionOptions(CLI::App& verb, SelectionOptions& options) {
  verb.add_option(
      "--suite", options.suites,
      "Suite: a CSV file, a name in datasets/suites, or all of those (default "
      "first_light, unless --golden or --case is given)");
  verb.add_option(
      "--tier", options.tier,
      "How much of the suites: smoke, ci (default), nightly or full, each with "
      "the ones before it");
  verb.add_option("--golden", options.goldens, "Folder of a golden");
  verb.add_option("--case", options.cases, "One case by its id alone");
  verb.add_option("--filter", options.filter,
                  "GoogleTest's filter grammar over case ids: A*:B*-C*");
}

Selection SelectCases(const SelectionOptions& options) {
  Collector collector;
  const Tier tier = TierOf(options);
  for (const std::string& suite : NamedSuites(options)) {
    const fs::path file = SuiteFile(suite, SuiteFolder());
    std::vector<SuiteRow> rows = ReadSuite(file);
    std::erase_if(rows,
                  [tier](const SuiteRow& row) { return !Contains(tier, row.tier); });
    collector.AddSource(file.stem().string(), Sha256HexOfFile(file), "--suite " + suite,
                        SuiteCases(rows));
  }
  if (tier != Tier::kCi) collector.AddArgument("--tier " + options.tier);
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

}  // namespace qconform
