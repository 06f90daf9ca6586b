#include "cli/list.h"

#include <iostream>
#include <memory>

#include "cli/case_selection.h"
#include "cli/exit_code.h"
#include "conformance/cases/filter.h"
#include "conformance/cases/subject_config.h"
#include "conformance/contract/contract_case.h"

namespace qconform {
namespace {

int ListContract(const std::string& name, const std::string& filter_text) {
  const auto declared = ConfigOf(LoadedBackend(), name);
  const Filter filter(filter_text);
  int exit_code = kExitNothingSelected;
  for (const ContractCase& c : ExpandContract(declared->config)) {
    if (!filter.Selects(c.id)) continue;
    std::cout << c.id << "\n";
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
  verb->add_option("--contract", *config,
                   "Instead: what a config, a file or a name, asks of a pipeline");
  verb->callback([options, config, &exit_code] {
    if (!config->empty()) {
      exit_code = ListContract(*config, options->filter);
      return;
    }
    const Selection selection = SelectCases(*options);
    for (const CaseSource& source : selection.cases) std::cout << source.id << "\n";
    exit_code = selection.cases.empty() ? kExitNothingSelected : kExitAsExpected;
  });
}

}  // namespace qconform
