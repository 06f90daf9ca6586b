// qconform lint: judges a backend config or a qconfig mapping alone.
#ifndef QCONFORM_CLI_LINT_H_
#define QCONFORM_CLI_LINT_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddLintVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_LINT_H_
