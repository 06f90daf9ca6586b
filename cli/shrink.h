#ifndef QCONFORM_CLI_SHRINK_H_
#define QCONFORM_CLI_SHRINK_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform shrink`: the smallest case that fails in the same way.
void AddShrinkVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_SHRINK_H_
