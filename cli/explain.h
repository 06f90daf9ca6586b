// qconform explain: what becomes of each node, and why.
#ifndef QCONFORM_CLI_EXPLAIN_H_
#define QCONFORM_CLI_EXPLAIN_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddExplainVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_EXPLAIN_H_
