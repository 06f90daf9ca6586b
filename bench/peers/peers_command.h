// `bench --peers`, on any command.
#ifndef QCONFORM_BENCH_PEERS_PEERS_COMMAND_H_
#define QCONFORM_BENCH_PEERS_PEERS_COMMAND_H_

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/peers/comparison.h"

namespace qconform::bench {

struct PeersOptions {
  bool asked = false;
  ComparisonOptions comparison;
  std::filesystem::path json;
};

// Declares --peers, --peer, --suites, --batches, --thread-counts and --rounds on `app`.
void DeclarePeersOptions(CLI::App& app, PeersOptions& options);

// Prints the tables to standard output and writes the JSON. Returns the exit code: 1
// where the backend failed a layer. Throws InputError, BackendError.
int RunPeers(PeersOptions options);

}  // namespace qconform::bench

#endif  // QCONFORM_BENCH_PEERS_PEERS_COMMAND_H_
