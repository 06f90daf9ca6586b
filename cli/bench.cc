#include "cli/bench.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "bench/options.h"
#include "cli/data_folder.h"
#include "cli/exit_code.h"
#include "conformance/host/plugin.h"

namespace qconform {

void AddBenchVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand(
      "bench", "Time a backend's layers as a share of this machine's peak");
  auto options = std::make_shared<bench::SuiteOptions>();
  bench::DeclareOptions(*verb, *options);
  verb->callback([verb, options, &exit_code] {
    options->benchmark_flags = verb->remaining();
    // An installed binary has its shape tables beside it.
    const std::filesystem::path shapes = DataFolder("shapes", "");
    const std::filesystem::path table = shapes / (options->suite + ".csv");
    if (!shapes.empty() && std::filesystem::exists(table)) {
      options->suite = table.string();
    }
    try {
      std::cerr << bench::Announcement(*options) << std::endl;
      const bench::SuiteOutcome outcome = bench::RunSuite(*options);
      std::cerr << bench::Summary(outcome) << '\n';
      exit_code = outcome.wrong > 0     ? kExitCaseFailed
                  : outcome.layers == 0 ? kExitNothingSelected
                                        : kExitAsExpected;
    } catch (const BackendError& error) {
      std::cerr << "qconform: " << error.what() << " (exit code 6)\n";
      exit_code = kExitBackendUnusable;
    }
  });
}

}  // namespace qconform
