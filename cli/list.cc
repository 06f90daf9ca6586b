#include "cli/list.h"

#include <iostream>
#include <memory>

#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/subject_config.h"
#include "conformance/contract/contract_case.h"
#include "conformance/contract/kernel/kernel_cases.h"

namespace qconform {
namespace {

std::vector<std::string> ContractIds(const std::string& name, bool of_kernels) {
  const auto config =
      std::make_shared<const BackendConfig>(ConfigOf(LoadedBackend(), name)->config);
  std::vector<std::string> ids;
  if (of_kernels) {
    for (const CaseSource& c : KernelContractCases(config)) ids.push_back(c.id);
  } else {
    for (const ContractCase& c : ExpandContract(*config)) ids.push_back(c.id);
  }
  return ids;
}

int ListContract(const std::string& name, bool of_kernels,
                 const std::string& filter_text) {
  const Filter filter(filter_text);
  int exit_code = kExitNothingSelected;
  for (const std::string& id : ContractIds(name, of_kernels)) {
    if (!filter.Selects(id)) continue;
    std::cout << id << "\n";
    exit_code = kExitAsExpected;
  }
  return exit_code;
}

}  // namespace

void AddListVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SelectionOptions>();
  CLI::App* verb = app.add_subcommand("list", "List case ids without running them");
  AddSelectionOptions(*verb, *options);
  auto config = std::make_shared<std::string>();
  CLI::Option* contract =
      verb->add_option("--contract", *config,
                       "Instead: what a config, a file or a name, asks of a pipeline");
  auto of_kernels = std::make_shared<bool>(false);
  verb->add_flag("--kernels", *of_kernels, "Of a kernel backend instead")
      ->needs(contract);
  verb->callback([options, config, of_kernels, &exit_code] {
    if (!config->empty()) {
      exit_code = ListContract(*config, *of_kernels, options->filter);
      return;
    }
    const Selection selection = SelectCases(*options);
    for (const CaseSource& source : selection.cases) std::cout << source.id << "\n";
    exit_code = selection.cases.empty() ? kExitNothingSelected : kExitAsExpected;
  });
}

}  // namespace qconform
