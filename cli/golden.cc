#include "cli/golden.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/model_source.h"
#include "reference/golden/golden.h"
#include "reference/ir/error.h"

namespace qconform {
namespace {

struct VerifyOptions {
  std::string golden;
  std::string against;
  ModelSource source;
};

Golden MakeAgain(const ModelSource& source) {
  const Model model = LoadModel(source);
  RequireCalibration(model);
  const QuantizationSettings settings = LoadSettings(source);
  return MakeGoldenOf(model, settings,
                      QuantizeModel(model.graph, settings, model.calibration));
}

int Verify(VerifyOptions& options) {
  if (!std::filesystem::exists(std::filesystem::path(options.golden) / "manifest.json")) {
    throw InputError(options.golden, "no golden here", "a folder with manifest.json");
  }
  std::vector<std::string> errors;
  std::string how = "digests hold";
  bool made_again = true;
  if (!options.against.empty()) {
    const Golden other = ReadGolden(options.against);
    errors = VerifyGolden(options.golden, &other.manifest.source, &other);
    how += ", equal to " + options.against;
  } else if (!options.source.model.empty() || !options.source.graph.empty()) {
    if (options.source.config.empty()) {
      throw InputError("command line", "no --config to make the golden again with",
                       "--config NAME or FILE");
    }
    const Golden again = MakeAgain(options.source);
    errors = VerifyGolden(options.golden, &again.manifest.source, &again);
    how += ", made again byte for byte";
  } else {
    errors = VerifyGolden(options.golden);
    made_again = false;
  }
  for (const std::string& error : errors) fmt::print(stderr, "qconform: {}\n", error);
  if (!errors.empty()) {
    fmt::print("golden {}: {} errors (exit code 1)\n", options.golden, errors.size());
    return kExitCaseFailed;
  }
  if (!made_again) how += "; not compared with what makes it (--model or --against)";
  fmt::print("golden {}: {}\n", options.golden, how);
  return kExitAsExpected;
}

}  // namespace

void AddGoldenVerb(CLI::App& app, int& exit_code) {
  CLI::App* golden = app.add_subcommand("golden", "Check goldens");
  golden->require_subcommand(1);
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verify = golden->add_subcommand(
      "verify",
      "Check every digest; with --against or --model also that it can be made "
      "again byte for byte");
  verify->add_option("GOLDEN", options->golden, "folder of the golden")->required();
  verify->add_option("--against", options->against, "another golden, freshly made");
  AddModelOptions(*verify, options->source);
  verify->get_option("--config")->required(false);
  verify->footer(
      "Exit code: 0 the golden is whole and as it is made, 1 it is not, 3 our own error, "
      "4 "
      "bad input.");
  verify->callback([options, &exit_code] { exit_code = Verify(*options); });
}

}  // namespace qconform
