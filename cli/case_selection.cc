#include "cli/case_selection.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/data_folder.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/golden_cases.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel/kernel_cases.h"
#include "conformance/verdict/doctor.h"
#include "reference/config/backend_config_json.h"
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

// Those that filter and the selection's shard let pass.
void AddCases(std::vector<CaseSource> cases, const Filter& filter, Selection& selection) {
  for (CaseSource& source : cases) {
    selection.ids.push_back(source.id);
    if (!filter.Selects(source.id)) continue;
    ++selection.filtered;
    if (selection.shard.Holds(source.id)) selection.cases.push_back(std::move(source));
  }
}

class Collector {
 public:
  explicit Collector(const SelectionOptions& options) : filter_(options.filter) {
    selection_.shard = ShardOf(options);
    is_whole_ = options.filter.empty() && selection_.shard.count == 1;
  }

  void AddSource(const std::string& name, const std::string& digest,
                 const std::string& argument, std::vector<CaseSource> cases) {
    selection_.suite += (selection_.suite.empty() ? "" : "+") + name;
    selection_.arguments += " " + argument;
    digests_ += digest;
    AddCases(std::move(cases), filter_, selection_);
  }

  void AddArgument(const std::string& argument) {
    selection_.arguments += " " + argument;
  }

  void AddGolden(const std::string& folder) {
    selection_.goldens += " --golden " + folder;
  }

  void AddSuite(const fs::path& file, const std::string& argument,
                const std::vector<SuiteRow>& rows) {
    const std::string name = file.stem().string();
    const std::string digest = Sha256HexOfFile(file);
    if (is_whole_) selection_.whole_suites[name] = digest;
    AddSource(name, digest, argument, SuiteCases(rows));
  }

  Selection Finish() {
    selection_.digest = Sha256Hex(digests_);
    return std::move(selection_);
  }

 private:
  const Filter filter_;
  bool is_whole_ = false;
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

// The folder that a golden's name stands for: "digits.x86" lies in digits/x86, and
// "two_modes.x86.strict" in two_modes/x86.strict.
fs::path GoldenFolder(const std::string& name) {
  const size_t dot = name.find('.');
  if (dot == std::string::npos) return {};
  return DataFolder("goldens", QCONFORM_GOLDEN_DIR) / name.substr(0, dot) /
         name.substr(dot + 1);
}

std::optional<CaseSource> FindIn(const fs::path& folder, const std::string& id) {
  for (CaseSource& source :
       GoldenCases(std::make_shared<const Golden>(ReadGolden(folder))))
    if (source.id == id) return std::move(source);
  return std::nullopt;
}

CaseSource FindContractCase(const std::string& id, const BackendConfig* config) {
  if (config == nullptr) {
    throw InputError(id, "a case of a contract, and the subject has no config",
                     "the config's file or name as --config");
  }
  for (CaseSource& source :
       KernelContractCases(std::make_shared<const BackendConfig>(*config))) {
    if (source.id == id) return std::move(source);
  }
  throw InputError(id, "no such case in the contract of " + ContractName(*config),
                   "an id that run --contract prints");
}

}  // namespace

CaseSource FindCase(const std::string& id, const std::vector<std::string>& goldens,
                    const BackendConfig* config) {
  if (IsContractId(id)) return FindContractCase(id, config);
  for (const std::string& folder : goldens)
    if (auto found = FindIn(folder, id)) return std::move(*found);
  const fs::path folder = GoldenFolder(id.substr(0, id.find('/')));
  if (!folder.empty() && fs::is_regular_file(folder / "manifest.json"))
    if (auto found = FindIn(folder, id)) return std::move(*found);
  if (auto found = DoctorCase(id)) return std::move(*found);
  return SuiteCases({RowFromId(id)}).front();
}

Shard ShardOf(const SelectionOptions& options) {
  return options.shard.empty() ? ShardOfEnvironment()
                               : ParseShard(options.shard, "--shard");
}

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
  verb.add_option("--shard", options.shard,
                  "One part of the cases, like 2/5, by the hash of their ids (default: "
                  "GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX, or all)");
}

Selection SelectCases(const SelectionOptions& options) {
  Collector collector(options);
  const Tier tier = TierOf(options);
  for (const std::string& suite : NamedSuites(options)) {
    const fs::path file = SuiteFile(suite, SuiteFolder());
    std::vector<SuiteRow> rows = ReadSuite(file);
    std::erase_if(rows,
                  [tier](const SuiteRow& row) { return !Contains(tier, row.tier); });
    collector.AddSuite(file, "--suite " + suite, rows);
  }
  if (tier != Tier::kCi) collector.AddArgument("--tier " + options.tier);
  for (const std::string& folder : options.goldens) {
    auto golden = std::make_shared<const Golden>(ReadGolden(folder));
    const std::string name = GoldenName(*golden);
    collector.AddSource(name, Sha256HexOfFile(fs::path(folder) / "manifest.json"),
                        "--golden " + folder, GoldenCases(std::move(golden)));
    collector.AddGolden(folder);
  }
  for (const std::string& id : options.cases) {
    if (IsContractId(id)) continue;
    collector.AddSource(id.substr(0, id.find('/')), Sha256Hex(id), "--case '" + id + "'",
                        {FindCase(id, {}, nullptr)});
  }
  return collector.Finish();
}

bool NamesContractCase(const SelectionOptions& options) {
  return std::any_of(options.cases.begin(), options.cases.end(), IsContractId);
}

void AddContract(const BackendConfig& config, const SelectionOptions& options,
                 Selection& selection) {
  selection.shard = ShardOf(options);
  std::vector<CaseSource> cases =
      KernelContractCases(std::make_shared<const BackendConfig>(config));
  if (NamesContractCase(options)) {
    std::vector<CaseSource> named;
    for (const std::string& id : options.cases) {
      if (IsContractId(id)) named.push_back(FindCase(id, {}, &config));
    }
    cases = std::move(named);
  }
  AddCases(std::move(cases), Filter(options.filter), selection);
  const std::string name = ContractName(config) + "/contract";
  selection.suite += (selection.suite.empty() ? "" : "+") + name;
  selection.arguments += " --contract";
  selection.digest = Sha256Hex(selection.digest + BackendConfigToJson(config).dump());
}

}  // namespace qconform
