// qconform bench compare: two benchmark files, and which changes are more than chance.
#ifndef QCONFORM_CLI_BENCH_COMPARE_H_
#define QCONFORM_CLI_BENCH_COMPARE_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `bench`: the verb below which `compare` stands.
void AddBenchCompareVerb(CLI::App& bench, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_BENCH_COMPARE_H_
