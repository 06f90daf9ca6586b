// qconform export: torch's ready-made settings as JSON to start from.
#ifndef QCONFORM_CLI_EXPORT_H_
#define QCONFORM_CLI_EXPORT_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddExportVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_EXPORT_H_
