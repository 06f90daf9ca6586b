#ifndef QCONFORM_CLI_PROBE_H_
#define QCONFORM_CLI_PROBE_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform probe`: which rounding does this backend use?
void AddProbeVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_PROBE_H_
