#include "bench/peers/peers_command.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>

#include "bench/google_benchmark.h"
#include "bench/peers/comparison_record.h"
#include "bench/peers/comparison_text.h"
#include "bench/record.h"

namespace qconform::bench {
namespace {

// The peers that were built, from CMake.
std::vector<std::filesystem::path> BuiltPeers() {
  std::vector<std::filesystem::path> files;
  std::istringstream list(QCONFORM_BUILT_PEERS);
  for (std::string file; std::getline(list, file, ':');) {
    if (std::filesystem::exists(file)) files.emplace_back(file);
  }
  return files;
}

}  // namespace

void DeclarePeersOptions(CLI::App& app, PeersOptions& options) {
  ComparisonOptions& comparison = options.comparison;
  app.add_flag(
      "--peers", options.asked,
      "Time the backend in turns with its peers: oneDNN, onnxruntime and XNNPACK");
  app.add_option("--peer", comparison.peers,
                 "With --peers: shared objects to compare with, instead of those built");
  app.add_option("--suites", comparison.suites, "With --peers: shape tables")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--batches", comparison.batches, "With --peers: batch sizes")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--thread-counts", comparison.threads,
                 "With --peers and --model: numbers of threads")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--rounds", comparison.rounds,
                 "With --peers and --model: rounds of a layer or model")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
}

int RunPeers(PeersOptions options) {
  if (options.comparison.peers.empty()) options.comparison.peers = BuiltPeers();
  std::unique_ptr<GoogleBenchmark> google;
  if (!options.json.empty()) {
    google = std::make_unique<GoogleBenchmark>(options.json, std::vector<std::string>{});
  }
  std::string table;
  const auto row_done = [&table](const Comparison& comparison) {
    const ComparisonRow& row = comparison.rows.back();
    const std::string name = fmt::format("{}, batch {}", row.suite, row.batch);
    if (table.empty()) fmt::print("{}", Legend(comparison));
    if (name != table) fmt::print("\n{}\n{}\n", name, TableHead(comparison));
    table = name;
    fmt::print("{}\n", TableLine(row));
    std::fflush(stdout);
  };
  const Comparison comparison = Compare(options.comparison, row_done);
  fmt::print("\n{}", GeometricMeans(comparison));
  std::fflush(stdout);
  if (google) {
    benchmark::AddCustomContext(kSubjects, SubjectNames(comparison));
    RegisterSamples(comparison);
    google->RunQuietly();
  }
  std::cerr << fmt::format(
      "bench: {} rows beside {} peers, {} failed; peers had no {} of theirs\n",
      comparison.rows.size(), comparison.names.size() - 1, comparison.wrong,
      comparison.refused);
  return comparison.wrong > 0 ? 1 : 0;
}

}  // namespace qconform::bench
