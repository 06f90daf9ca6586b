#include "cli/golden.h"

#include <fmt/core.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/golden_folder.h"
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
  const std::filesystem::path folder = GoldenFolder(options.golden);
  std::vector<std::string> errors;
  std::string how = "digests hold";
  bool made_again = true;
  if (!options.against.empty()) {
    const Golden other = ReadGolden(GoldenFolder(options.against));
    errors = VerifyGolden(folder, &other.manifest.source, &other);
    how += ", equal to " + options.against;
  } else if (!options.source.model.empty() || !options.source.graph.empty()) {
    if (options.source.config.empty()) {
      throw InputError("command line", "no --config to make the golden again with",
                       "--config NAME or FILE");
    }
    const Golden again = MakeAgain(options.source);
    errors = VerifyGolden(folder, &again.manifest.source, &again);
    how += ", made again byte for byte";
  } else {
    errors = VerifyGolden(folder);
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
  // What people try who know harnesses that keep the answers of their suites.
  auto suite = std::make_shared<std::string>();
  CLI::Option* new_golden = golden->add_flag("--new")->group("");
  CLI::Option* of_suite = golden->add_option("--suite", *suite)->group("");
  golden->callback([golden, suite, new_golden, of_suite] {
    if (!golden->get_subcommands().empty()) return;
    const bool known = of_suite->count() + new_golden->count() > 0;
    if (!known) {
      throw InputError("golden", "no verb behind it", "`qconform golden verify GOLDEN`");
    }
    throw InputError(
        "golden --suite " + *suite,
        "a suite keeps no golden, the reference computes its codes as it runs",
        "`qconform run --suite`, or `qconform quantize --out` for the golden "
        "of a model");
  });
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verify = golden->add_subcommand(
      "verify",
      "Check every digest; with --against or --model also that it can be made "
      "again byte for byte");
  verify
      ->add_option("GOLDEN", options->golden,
                   "the golden: its folder, or a name like digits.x86 in "
                   "datasets/goldens")
      ->required();
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
