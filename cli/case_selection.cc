#include "cli/case_selection.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/data_folder.h"
#include "cli/golden_folder.h"
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
    is_whole_ =
        options.filter.empty() && selection_.shard.count == 1 && !options.data_seed;
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

  // Whoever goes on with a journal must draw the same data.
  void AddDataSeed(uint64_t seed) {
    const std::string text = std::to_string(seed);
    AddArgument("--data-seed " + text);
    digests_ += Sha256Hex("data seed " + text);
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
  KernelContractOptions options;
  options.every_row = false;  // it is about this case only
  for (CaseSource& source :
       KernelContractCases(std::make_shared<const BackendConfig>(*config), options)) {
    if (source.id == id) return std::move(source);
  }
  throw InputError(id, "no such case in the contract of " + ContractName(*config),
                   "an id that run --contract prints");
}

}  // namespace

CaseSource FindCase(const std::string& id, const std::vector<std::string>& goldens,
                    const BackendConfig* config) {
  if (IsContractId(id)) return FindContractCase(id, config);
  for (const std::string& golden : goldens)
    if (auto found = FindIn(GoldenFolder(golden), id)) return std::move(*found);
  if (const auto folder = GoldenFolderOfName(id.substr(0, id.find('/'))))
    if (auto found = FindIn(*folder, id)) return std::move(*found);
  if (auto found = DoctorCase(id)) return std::move(*found);
  return SuiteCases({RowFromId(id)}).front();
}

std::string WithDataSeed(const std::string& id, const std::optional<uint64_t>& seed) {
  if (!seed) return id;
  SuiteRow row = RowFromId(id);
  const std::optional<uint64_t> own = row.data_seed;
  DrawOtherData(row, *seed);
  if (row.data_seed != seed) {
    throw InputError(
        "--data-seed " + std::to_string(*seed),
        own ? "the case has another seed" : "the case's data are written down",
        "a case without");
  }
  return IdOf(row);
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
  verb.add_option("--golden", options.goldens,
                  "A golden: its folder, or a name like digits.x86 in datasets/goldens");
  verb.add_option("--case", options.cases, "One case by its id alone");
  verb.add_option("--filter", options.filter,
                  "GoogleTest's filter grammar over case ids: A*:B*-C*");
  verb.add_option("--shard", options.shard,
                  "One part of the cases, like 2/5, by the hash of their ids (default: "
                  "GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX, or all)");
  verb.add_option("--exempt", options.exempt,
                  "With --contract: rows that no kernel backend can be asked for, CSV: "
                  "row, dtypes (or any), reason");
  AddDataSeedOption(verb, options.data_seed);
}

void AddDataSeedOption(CLI::App& verb, std::optional<uint64_t>& seed) {
  verb.add_option("--data-seed", seed,
                  "Draw other data that reach the same traps; ids then end in /seed.N. "
                  "Codes and values that a case spells stay");
}

Selection SelectCases(const SelectionOptions& options) {
  Collector collector(options);
  const Tier tier = TierOf(options);
  if (options.data_seed && !options.goldens.empty()) {
    throw InputError("--data-seed", "draws nothing for a golden, whose data are its own",
                     "--suite or --case");
  }
  for (const std::string& suite : NamedSuites(options)) {
    const fs::path file = SuiteFile(suite, SuiteFolder());
    std::vector<SuiteRow> rows = ReadSuite(file);
    std::erase_if(rows,
                  [tier](const SuiteRow& row) { return !Contains(tier, row.tier); });
    if (options.data_seed)
      for (SuiteRow& row : rows) DrawOtherData(row, *options.data_seed);
    collector.AddSuite(file, "--suite " + suite, rows);
  }
  if (options.data_seed) collector.AddDataSeed(*options.data_seed);
  if (tier != Tier::kCi) collector.AddArgument("--tier " + options.tier);
  for (const std::string& name_or_folder : options.goldens) {
    const fs::path folder = GoldenFolder(name_or_folder);
    auto golden = std::make_shared<const Golden>(ReadGolden(folder));
    const std::string name = GoldenName(*golden);
    collector.AddSource(name, Sha256HexOfFile(folder / "manifest.json"),
                        "--golden " + name_or_folder, GoldenCases(std::move(golden)));
    collector.AddGolden(name_or_folder);
  }
  for (const std::string& id : options.cases) {
    if (IsContractId(id)) continue;
    const std::string seeded = WithDataSeed(id, options.data_seed);
    collector.AddSource(id.substr(0, id.find('/')), Sha256Hex(seeded),
                        "--case '" + id + "'", {FindCase(seeded, {}, nullptr)});
  }
  return collector.Finish();
}

std::vector<CaseSource> ContractCasesOf(const BackendConfig& config,
                                        const SelectionOptions& options) {
  KernelContractOptions contract;
  if (!options.exempt.empty()) contract.exempt = ReadExemptRows(options.exempt);
  return KernelContractCases(std::make_shared<const BackendConfig>(config), contract);
}

void RequireKnownRows(const SubjectConfig& config) {
  try {
    ExpandContract(config.config);
  } catch (const InputError& error) {
    throw InputError(config.origin, error.what());
  }
}

bool NamesContractCase(const SelectionOptions& options) {
  return std::any_of(options.cases.begin(), options.cases.end(), IsContractId);
}

void AddContract(const BackendConfig& config, const SelectionOptions& options,
                 Selection& selection) {
  selection.shard = ShardOf(options);
  std::vector<CaseSource> cases = ContractCasesOf(config, options);
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
