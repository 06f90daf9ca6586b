// qconform diff: what tells two of a kind apart.
#ifndef QCONFORM_CLI_DIFF_H_
#define QCONFORM_CLI_DIFF_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddDiffVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_DIFF_H_
