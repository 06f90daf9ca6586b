// What --suite, --golden, --case and --filter select: shared by run and list.
#ifndef QCONFORM_CLI_CASE_SELECTION_H_
#define QCONFORM_CLI_CASE_SELECTION_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "conformance/verdict/case_source.h"

namespace qconform {

struct SelectionOptions {
  std::vector<std::string> suites;
  std::vector<std::string> goldens;
  std::vector<std::string> cases;
  std::string filter;
};

void AddSelectionOptions(CLI::App& verb, SelectionOptions& options);

struct Selection {
  std::vector<CaseSource> cases;
  std::string suite;      // names, with + between them
  std::string digest;     // SHA-256 over the digests of the sources
  std::string arguments;  // that select the same sources again
};

// Without any source: the suite first_light. Throws InputError on a bad one.
Selection SelectCases(const SelectionOptions& options);

// Adds the contract cases of a kernel backend with this config. Throws InputError for a
// row of which no case can be made.
void AddContract(const BackendConfig& config, const std::string& filter,
                 Selection& selection);

}  // namespace qconform

#endif  // QCONFORM_CLI_CASE_SELECTION_H_
