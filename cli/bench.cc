#include "cli/bench.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>

#include "bench/model/model_command.h"
#include "bench/options.h"
#include "bench/peers/peers_command.h"
#include "bench/pipeline/pipeline_suite.h"
#include "cli/bench_compare.h"
#include "cli/data_folder.h"
#include "cli/exit_code.h"
#include "cli/onnxruntime_model.h"
#include "cli/worker.h"
#include "conformance/verdict/case_speed.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct BenchOptions {
  bench::SuiteOptions suite;
  bench::PeersOptions peers;
  bench::ModelOptions models;
  bool pipeline = false;
  bool cases = false;
  bool without_torch = false;
};

int TimeBackend(bench::SuiteOptions& options) {
  if (options.backend.empty()) {
    throw InputError("bench", "nothing to time", "--backend FILE or --pipeline");
  }
  // An installed binary has its shape tables beside it.
  const std::filesystem::path shapes = DataFolder("shapes", "");
  const std::filesystem::path table = shapes / (options.suite + ".csv");
  if (!shapes.empty() && std::filesystem::exists(table)) options.suite = table.string();
  std::cerr << bench::Announcement(options) << std::endl;
  const bench::SuiteOutcome outcome = bench::RunSuite(options);
  std::cerr << bench::Summary(outcome) << '\n';
  if (outcome.wrong > 0) return kExitCaseFailed;
  return outcome.layers == 0 ? kExitNothingSelected : kExitAsExpected;
}

int TimePeers(BenchOptions& options) {
  if (options.suite.backend.empty()) {
    throw InputError("bench", "nothing to compare", "--backend FILE");
  }
  options.peers.comparison.backend = options.suite.backend;
  options.peers.json = options.suite.json;
  const std::filesystem::path shapes = DataFolder("shapes", "");
  for (std::string& suite : options.peers.comparison.suites) {
    const std::filesystem::path table = shapes / (suite + ".csv");
    if (!shapes.empty() && std::filesystem::exists(table)) suite = table.string();
  }
  return bench::RunPeers(options.peers);
}

// A model's folder by its name: of those that ship, else as it is.
std::string ModelFolder(const std::string& model) {
  for (const char* kind : {"models", "vision"}) {
    const std::filesystem::path folder =
        DataFolder(kind, std::filesystem::path(QCONFORM_DATASETS) / kind) / model;
    if (std::filesystem::is_regular_file(folder / "model.json")) return folder.string();
  }
  if (!std::filesystem::is_directory(model)) {
    throw InputError("--model " + model, "no such model",
                     "a folder, or a name as resnet50, mobilenet_v2, crepe_tiny");
  }
  return model;
}

int TimeModels(BenchOptions& options) {
  if (options.suite.backend.empty()) {
    throw InputError("bench", "nothing to time", "--backend FILE");
  }
  for (std::string& model : options.models.models) model = ModelFolder(model);
  options.models.backend = options.suite.backend;
  options.models.threads = options.peers.comparison.threads;
  options.models.rounds = options.peers.comparison.rounds;
  options.models.json = options.suite.json;
  options.models.open_peer = OpenOnnxruntimeModel;
  return bench::RunModels(options.models);
}

// The harness itself.
int TimeCases(const std::string& backend) {
  const CaseSpeed speed = MeasureCaseSpeed(backend, WorkerCommand(), 2000);
  std::cerr << "bench: " << CaseSpeedLine(speed) << std::endl;
  return speed.failed > 0 ? kExitCaseFailed : kExitAsExpected;
}

int TimePipeline(const BenchOptions& options) {
  bench::PipelineOptions pipeline;
  pipeline.with_torch = !options.without_torch;
  pipeline.json = options.suite.json;
  pipeline.benchmark_flags = options.suite.benchmark_flags;
  std::cerr << "bench: the pipeline on resnet50, the observers on 16 million elements, "
               "graphs of up to 100,000 nodes; about two minutes"
            << std::endl;
  const bench::PipelineOutcome outcome = bench::RunPipelineSuite(pipeline);
  std::cerr << fmt::format("bench: {} cases timed, {} wrong, {} of {} aims reached\n",
                           outcome.timed, outcome.wrong, outcome.aims_reached,
                           outcome.aims);
  return outcome.wrong > 0 ? kExitCaseFailed : kExitAsExpected;
}

}  // namespace

void AddBenchVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "bench", "Time a backend's layers, or the pipeline, against what bounds them");
  auto options = std::make_shared<BenchOptions>();
  bench::DeclareOptions(*verb, options->suite);
  verb->get_option("--backend")->required(false);
  bench::DeclarePeersOptions(*verb, options->peers);
  bench::DeclareModelOptions(*verb, options->models);
  verb->add_flag("--pipeline", options->pipeline,
                 "Time the stages and the observers instead, beside torch");
  verb->add_flag("--cases", options->cases,
                 "Time the harness instead: how many small cases it judges a second");
  verb->add_flag("--without-torch", options->without_torch,
                 "Do not time torch beside the pipeline");
  AddBenchCompareVerb(*verb, exit_code);
  verb->callback([verb, options, &exit_code] {
    if (verb->got_subcommand("compare")) return;
    options->suite.benchmark_flags = verb->remaining();
    if (!options->models.models.empty()) {
      exit_code = TimeModels(*options);
      return;
    }
    if (options->peers.asked) {
      exit_code = TimePeers(*options);
      return;
    }
    if (options->cases && !options->suite.backend.empty()) {
      exit_code = TimeCases(options->suite.backend);
      return;
    }
    exit_code = options->pipeline ? TimePipeline(*options) : TimeBackend(options->suite);
  });
}

}  // namespace qconform
