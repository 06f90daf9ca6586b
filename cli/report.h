#ifndef QCONFORM_CLI_REPORT_H_
#define QCONFORM_CLI_REPORT_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform report html`: one page from runs, benchmarks and quantized models.
void AddReportVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_REPORT_H_
