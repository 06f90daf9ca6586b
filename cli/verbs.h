// Every verb of the qconform binary, in the order of the help text. A verb sets
// exit_code when its callback ran; errors leave as exceptions.
#ifndef QCONFORM_CLI_VERBS_H_
#define QCONFORM_CLI_VERBS_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddVerbs(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_VERBS_H_
