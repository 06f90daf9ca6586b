// qconform match: tries one pattern at the nodes of a graph and says why it fails.
#ifndef QCONFORM_CLI_MATCH_H_
#define QCONFORM_CLI_MATCH_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddMatchVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_MATCH_H_
