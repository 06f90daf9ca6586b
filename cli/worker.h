#ifndef QCONFORM_CLI_WORKER_H_
#define QCONFORM_CLI_WORKER_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddWorkerVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_WORKER_H_
