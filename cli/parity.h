// qconform parity DIR: oracle records of real torch against the reference pipeline.
#ifndef QCONFORM_CLI_PARITY_H_
#define QCONFORM_CLI_PARITY_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddParityVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_PARITY_H_
