#ifndef QCONFORM_CLI_INFER_H_
#define QCONFORM_CLI_INFER_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform infer`: which config does this backend really honour?
void AddInferVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_INFER_H_
