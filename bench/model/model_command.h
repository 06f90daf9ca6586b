// `bench --model`, on any command.
#ifndef QCONFORM_BENCH_MODEL_MODEL_COMMAND_H_
#define QCONFORM_BENCH_MODEL_MODEL_COMMAND_H_

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/model/peer_model.h"

namespace qconform::bench {

struct ModelOptions {
  std::vector<std::string> models;  // folders of the catalogue's layout
  std::string config = "x86";
  std::filesystem::path backend;
  std::vector<int> threads = {1, 2};
  int rounds = 9;
  std::filesystem::path json;
  OpenPeerModel open_peer;
};

// Declares --model and --config on `app`.
void DeclareModelOptions(CLI::App& app, ModelOptions& options);

// Prints the table to standard output and writes the JSON. Returns the exit code: 1 where
// the backend gave another value than the definitions. Throws InputError, BackendError.
int RunModels(const ModelOptions& options);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_MODEL_MODEL_COMMAND_H_
