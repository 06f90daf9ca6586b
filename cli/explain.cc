#include "cli/explain.h"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "reference/backends/backends.h"
#include "reference/explain/model_explanation.h"
#include "reference/ir/error.h"
#include "reference/observe/prepare.h"

namespace qconform {
namespace {

struct ExplainOptions {
  ModelSource source;
  std::string config_argument;
  std::string graph_argument;
  bool json = false;
  bool all = false;
};

// Not CLI11's excludes, which comes before an unknown option, whose value it then takes
// for one of the two.
void RequireOneOfEach(const ExplainOptions& options) {
  if (!options.config_argument.empty() && !options.source.config.empty()) {
    throw InputError("command line", "--config and CONFIG", "one of them");
  }
  const bool has_model = !options.source.graph.empty() || !options.source.model.empty();
  if (!options.graph_argument.empty() && has_model) {
    throw InputError("command line", "GRAPH and --graph or --model", "one of them");
  }
}

void Explain(ExplainOptions& options) {
  RequireOneOfEach(options);
  if (options.source.config.empty()) options.source.config = options.config_argument;
  if (options.source.graph.empty()) options.source.graph = options.graph_argument;
  const Model model = LoadModel(options.source);
  const QuantizationSettings settings = LoadSettings(options.source);
  const Prepared prepared = PrepareFx(
      model.graph, settings.mapping, settings.backend_config, PrepareOptionsOf(settings));
  const ModelExplanation explanation =
      ExplainModel(model.graph, prepared, settings.convert_custom_config);
  if (options.json) {
    fmt::print("{}\n", ToJson(explanation).dump(1));
    return;
  }
  // Of torch's own mapping and configs most never applies; one's own is listed whole.
  ExplanationForm form;
  const bool own_mapping =
      !options.source.mapping.empty() && !IsNamedMapping(options.source.mapping);
  form.mapping_rules = own_mapping || options.all;
  form.all = options.all || !IsBuiltInBackend(options.source.config);
  fmt::print("{}", ToText(explanation, form));
}

}  // namespace

void AddExplainVerb(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = app.add_subcommand(
      "explain",
      "Say for each node which pattern, qconfig and observers it got, or why it stays "
      "float, and what took effect nowhere");
  AddPreparationOptions(*verb, options->source);
  verb->get_option("--config")->required(false);
  verb->add_option("CONFIG", options->config_argument,
                   "backend config: name or JSON file");
  verb->add_option("GRAPH", options->graph_argument, "float graph, *.graph.json");
  verb->add_flag("--json", options->json, "JSON in place of lines");
  verb->add_flag("--all", options->all, "list every setting that took effect nowhere");
  verb->footer(
      "Exit code: 0 every node is explained, whether it stays float or not, 3 our own "
      "error, 4 bad input, or a model that the pipeline refuses as torch does.");
  verb->callback([options, &exit_code] {
    Explain(*options);
    exit_code = kExitAsExpected;
  });
}

}  // namespace qconform
