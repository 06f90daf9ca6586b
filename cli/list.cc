#include "cli/list.h"

#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "cli/run_pipeline.h"
#include "cli/subject.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/subject_config.h"
#include "conformance/contract/contract_case.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct ListOptions {
  SelectionOptions selection;
  SubjectOptions subject;
  bool contract = false;
  std::string config;  // behind --contract
  bool of_kernels = false;
};

std::shared_ptr<const BackendConfig> NamedConfig(const ListOptions& options) {
  const std::string& name =
      options.config.empty() ? options.subject.config : options.config;
  if (name.empty())
    throw InputError("--contract", "nothing says whose", "a config, or --backend");
  return std::make_shared<const BackendConfig>(ConfigOf(LoadedBackend(), name)->config);
}

// What run --contract would ask the backend, which is loaded for its config unless one
// is named.
std::vector<std::string> ContractIds(const ListOptions& options) {
  std::vector<std::string> ids;
  const std::string& backend = options.subject.backend;
  if (backend.empty() ? !options.of_kernels : IsPipeline(backend)) {
    for (const ContractCase& c : ExpandContract(*NamedConfig(options)))
      ids.push_back(c.id);
    return ids;
  }
  std::shared_ptr<const BackendConfig> config;
  if (backend.empty() || !options.config.empty() || !options.subject.config.empty()) {
    config = NamedConfig(options);
  } else {
    const auto opened = OpenSubject(options.subject);
    if (!opened->config)
      throw InputError(backend, "declares no config", "one, or --config");
    config = std::make_shared<const BackendConfig>(opened->config->config);
  }
  for (const CaseSource& c : ContractCasesOf(*config, options.selection))
    ids.push_back(c.id);
  return ids;
}

int List(const ListOptions& options) {
  std::vector<std::string> ids;
  const SelectionOptions& selection = options.selection;
  if (!options.contract || !selection.suites.empty() || !selection.goldens.empty())
    for (const CaseSource& source : SelectCases(selection).cases)
      ids.push_back(source.id);
  if (options.contract) {
    const Filter filter(selection.filter);
    const Shard shard = ShardOf(selection);
    for (std::string& id : ContractIds(options))
      if (filter.Selects(id) && shard.Holds(id)) ids.push_back(std::move(id));
  }
  for (const std::string& id : ids) std::cout << id << "\n";
  if (!ids.empty()) return kExitAsExpected;
  std::cerr << "qconform: list: no case selected, expected at least one (exit code 5)\n";
  return kExitNothingSelected;
}

}  // namespace

void AddListVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* verb = app.add_subcommand("list", "List case ids without running them");
  AddSelectionOptions(*verb, options->selection);
  CLI::Option* contract =
      verb->add_option("--contract", options->config,
                       "What run --contract asks with a config, a file or a name; with "
                       "--suite or --golden besides their cases, else alone")
          ->expected(0, 1);
  CLI::Option* backend = verb->add_option(
      "--backend", options->subject.backend,
      "Whose contract: a shared object or exec:COMMAND has cases for kernels, "
      "pipeline:COMMAND for pipelines");
  backend->needs(contract);
  verb->add_option("--config", options->subject.config,
                   "Config of the contract (default: the backend's own)")
      ->needs(contract);
  verb->add_flag("--kernels", options->of_kernels,
                 "Without --backend: cases for kernels (default: for pipelines)")
      ->needs(contract)
      ->excludes(backend);
  verb->footer(
      "Exit codes: 0 listed, 4 wrong usage or bad file, 5 nothing selected, 6 "
      "backend unusable.");
  verb->callback([options, contract, &exit_code] {
    options->contract = contract->count() > 0;
    exit_code = List(*options);
  });
}

}  // namespace qconform
