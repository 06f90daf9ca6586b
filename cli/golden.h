// qconform golden verify: is a golden whole, and can it be made again?.
#ifndef QCONFORM_CLI_GOLDEN_H_
#define QCONFORM_CLI_GOLDEN_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddGoldenVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_GOLDEN_H_
