#include "cli/explain.h"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "reference/convert/node_reason.h"
#include "reference/observe/prepare.h"

namespace qconform {
namespace {

struct ExplainOptions {
  ModelSource source;
  std::string config_argument;
  std::string graph_argument;
};

void Explain(ExplainOptions& options) {
  if (options.source.config.empty()) options.source.config = options.config_argument;
  if (options.source.graph.empty()) options.source.graph = options.graph_argument;
  const Model model = LoadModel(options.source);
  const QuantizationSettings settings = LoadSettings(options.source);
  PrepareOptions prepare;
  prepare.mode = settings.mode;
  const Prepared prepared =
      PrepareFx(model.graph, settings.mapping, settings.backend_config, prepare);
  int number = 0;
  for (const NodeReason& reason : ExplainNodes(model.graph, prepared)) {
    fmt::print("node {:<3} {} ({}): {}\n", number++, reason.node, reason.target,
               reason.text);
  }
  if (options.source.mapping.empty()) return;
  for (const std::string& setting : UnusedSettings(prepared)) {
    fmt::print("unused   {}\n", setting);
  }
}

}  // namespace

void AddExplainVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = app.add_subcommand(
      "explain",
      "Say for each node which pattern and qconfig it got, or why it stays float");
  AddModelOptions(*verb, options->source);
  verb->get_option("--config")->required(false);
  verb->add_option("CONFIG", options->config_argument,
                   "backend config: name or JSON file");
  verb->add_option("GRAPH", options->graph_argument, "float graph, *.graph.json");
  verb->callback([options, &exit_code] {
    Explain(*options);
    exit_code = kExitAsExpected;
  });
}

}  // namespace qconform
