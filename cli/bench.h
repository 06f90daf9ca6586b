// qconform bench: times a backend's layers.
#ifndef QCONFORM_CLI_BENCH_H_
#define QCONFORM_CLI_BENCH_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddBenchVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_BENCH_H_
