#ifndef QCONFORM_CLI_KNOWN_H_
#define QCONFORM_CLI_KNOWN_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform known`: known failures, kept true.
void AddKnownVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_KNOWN_H_
