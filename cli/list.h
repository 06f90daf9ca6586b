#ifndef QCONFORM_CLI_LIST_H_
#define QCONFORM_CLI_LIST_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform list`: the ids that `run` would judge.
void AddListVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_LIST_H_
