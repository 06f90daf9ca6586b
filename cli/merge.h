#ifndef QCONFORM_CLI_MERGE_H_
#define QCONFORM_CLI_MERGE_H_

#include <CLI/CLI.hpp>

namespace qconform {

// `qconform merge`: the journals of shards as one.
void AddMergeVerb(CLI::App& app, int& exit_code);

}  // namespace qconform

#endif  // QCONFORM_CLI_MERGE_H_
