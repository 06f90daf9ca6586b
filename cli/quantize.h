// qconform quantize: float graph in, golden out.
#ifndef QCONFORM_CLI_QUANTIZE_H_
#define QCONFORM_CLI_QUANTIZE_H_

#include <CLI/CLI.hpp>

namespace qconform {

void AddQuantizeVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_QUANTIZE_H_
