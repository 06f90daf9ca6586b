#include "cli/list.h"

#include <iostream>
#include <memory>

#include "cli/case_selection.h"
#include "cli/exit_code.h"

namespace qconform {

void AddListVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<SelectionOptions>();
  CLI::App* verb = app.add_subcommand("list", "List case ids without running them");
  AddSelectionOptions(*verb, *options);
  verb->callback([options, &exit_code] {
    const Selection selection = SelectCases(*options);
    for (const CaseSource& source : selection.cases) std::cout << source.id << "\n";
    exit_code = selection.cases.empty() ? kExitNothingSelected : kExitAsExpected;
  });
}

}  // namespace qconform
