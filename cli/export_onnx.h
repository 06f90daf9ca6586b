// qconform export onnx: a golden or one case as a folder of ONNX's backend tests.
#ifndef QCONFORM_CLI_EXPORT_ONNX_H_
#define QCONFORM_CLI_EXPORT_ONNX_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `app` has the verb export already.
void AddExportOnnxVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_EXPORT_ONNX_H_
