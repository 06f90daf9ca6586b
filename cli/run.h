#ifndef QCONFORM_CLI_RUN_H_
#define QCONFORM_CLI_RUN_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform run`: judges a backend on suites and goldens.
void AddRunVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_RUN_H_
