#include "bench/model/model_command.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <memory>

#include "bench/google_benchmark.h"
#include "bench/model/bench_model.h"
#include "bench/model/model_comparison.h"
#include "bench/model/model_record.h"
#include "bench/model/model_text.h"
#include "bench/record.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

namespace qconform::bench {

void DeclareModelOptions(CLI::App& app, ModelOptions& options) {
  app.add_option("--model", options.models,
                 "Time whole models in turns with onnxruntime: names or folders")
      ->delimiter(',');
  app.add_option("--config", options.config,
                 "With --model: the built-in config they are quantized for")
      ->capture_default_str();
}

int RunModels(const ModelOptions& options) {
  for (const int threads : options.threads) {
    if (threads < 1 || threads > 1024)
      throw InputError("--thread-counts", std::to_string(threads), "1 to 1024");
  }
  const Plugin plugin(options.backend);
  std::unique_ptr<GoogleBenchmark> google;
  if (!options.json.empty()) {
    google = std::make_unique<GoogleBenchmark>(options.json, std::vector<std::string>{});
  }
  std::vector<ModelRow> rows;
  int wrong = 0;
  for (const std::string& folder : options.models) {
    std::cerr << fmt::format("bench: quantizing {} for {}, running its definitions",
                             folder, options.config)
              << std::endl;
    const BenchModel model = MakeBenchModel(folder, options.config);
    for (const int threads : options.threads) {
      rows.push_back(CompareModel(model, plugin.table(), threads, options.rounds,
                                  options.open_peer));
      wrong += rows.back().own.timed() ? 0 : 1;
      if (rows.size() == 1) fmt::print("{}", ModelTableHead());
      fmt::print("{}", ModelTableLines(rows.back()));
      std::fflush(stdout);
    }
  }
  if (google) {
    std::string subjects = rows.at(0).own.name + " " + rows.at(0).own.version;
    for (const ModelSubject& peer : rows.at(0).peers)
      subjects += ", " + peer.name + " " + peer.version;
    benchmark::AddCustomContext(kSubjects, subjects);
    RegisterModelSamples(rows);
    google->RunQuietly();
  }
  std::cerr << fmt::format("bench: {} rows of whole models, {} failed\n", rows.size(),
                           wrong);
  return wrong > 0 ? 1 : 0;
}

}  // namespace qconform::bench
