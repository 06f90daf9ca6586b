#ifndef QCONFORM_CLI_REPRO_H_
#define QCONFORM_CLI_REPRO_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform repro`: one case again, by its id alone.
void AddReproVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_REPRO_H_
