// What --suite, --tier, --golden, --case, --filter and --shard select: shared by run and
// list.
#ifndef QCONFORM_CLI_CASE_SELECTION_H_
#define QCONFORM_CLI_CASE_SELECTION_H_

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/shard.h"
#include "conformance/cases/subject_config.h"
#include "conformance/verdict/case_source.h"

namespace qconform {

struct SelectionOptions {
  std::vector<std::string> suites;
  std::vector<std::string> goldens;
  std::vector<std::string> cases;
  std::string filter;
  std::string tier = "ci";
  std::string shard;
  std::string exempt;  // file of exempt rows
  std::optional<uint64_t> data_seed;
};

void AddSelectionOptions(CLI::App& verb, SelectionOptions& options);

// Of --shard, or else of the environment.
Shard ShardOf(const SelectionOptions& options);

struct Selection {
  std::vector<CaseSource> cases;
  std::vector<std::string> ids;  // of all cases, before filter and shard
  size_t filtered = 0;           // cases before the shard was taken
  Shard shard;
  std::string suite;  // names, with + between them
  // SHA-256 of the file of each suite that was taken whole, with the data of its own;
  // empty with a filter, a shard or a seed.
  std::map<std::string, std::string> whole_suites;
  std::string digest;     // SHA-256 over the digests of the sources
  std::string arguments;  // that select the same sources again
  std::string goldens;    // of these, the goldens: no id alone finds them
};

// The case with this id: rebuilt from the id, of one of the goldens, of one that lies
// by its name in datasets/goldens, or of the contract of `config`, the subject's. Throws
// InputError.
//
// Goldens may be spelled by name, "digits.x86".
CaseSource FindCase(const std::string& id, const std::vector<std::string>& goldens,
                    const BackendConfig* config);

// The id with the seed behind it, if one is given. Throws InputError for a case whose
// data no seed draws: a golden's, a contract's, one that is written down or has another
// seed.
std::string WithDataSeed(const std::string& id, const std::optional<uint64_t>& seed);

void AddDataSeedOption(CLI::App& verb, std::optional<uint64_t>& seed);

// Without any source: the suite first_light. Leaves out ids of contracts. Throws
// InputError on a bad one.
Selection SelectCases(const SelectionOptions& options);

// Whether one of --case is an id of a contract.
bool NamesContractCase(const SelectionOptions& options);

// What the config asks of a kernel backend. Throws InputError for a row of which no case
// can be made and that is not exempt.
std::vector<CaseSource> ContractCasesOf(const BackendConfig& config,
                                        const SelectionOptions& options);

// Throws InputError for rows of which nothing can be asked, with a row's name misspelt
// say.
void RequireKnownRows(const SubjectConfig& config);

// Adds the contract cases of a kernel backend with this config: those that --case names,
// if it names any. Throws as ContractCasesOf does.
void AddContract(const BackendConfig& config, const SelectionOptions& options,
                 Selection& selection);

}  // namespace qconform

#endif  // QCONFORM_CLI_CASE_SELECTION_H_
