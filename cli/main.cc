// The qconform binary: one verb a file. Here stand only the list of verbs and the
// translation of errors into one line and an exit code.
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/verbs.h"
#include "conformance/host/plugin.h"
#include "reference/ir/error.h"

int main(int argc, char** argv) {
  using namespace qconform;
  CLI::App app{"qconform: conformance and benchmarks for quantization backends"};
  app.name("qconform");
  app.set_version_flag("--version", std::string("qconform ") + QCONFORM_VERSION);
  app.require_subcommand(1);
  app.footer(
      "`qconform help VERB` is `qconform VERB --help`; `qconform help conformance` "
      "explains\ncase ids, verdicts and exit codes.");
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    const std::string verb = ParsedVerb(*failed);
    std::string what = error.what();
    if (what == "A subcommand is required") what = "no verb behind `" + verb + "`";
    return "qconform: " + what + ", expected what `" + verb +
           " --help` shows (exit code 4)\n";
  });
  int exit_code = kExitAsExpected;
  AddVerbs(app, exit_code);
  // CLI11 would only say that a verb is missing.
  const auto is_first_argument = [&](const CLI::App* verb) {
    return verb->get_name() == argv[1];
  };
  const bool help = argc > 1 && std::string_view(argv[1]) == "help";
  if (!help && argc > 1 && argv[1][0] != '-' &&
      app.get_subcommands(is_first_argument).empty()) {
    std::cerr << "qconform: unknown verb '" << argv[1]
              << "', expected one that `qconform --help` lists (exit code 4)\n";
    return kExitUsage;
  }
  try {
    if (help) {
      std::cout << HelpText(app, {argv + 2, argv + argc});
      return kExitAsExpected;
    }
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help and version end a parse too; they are no mistake.
    return app.exit(error) == 0 ? kExitAsExpected : kExitUsage;
  } catch (const InputError& error) {
    std::cerr << "qconform: " << error.what() << " (exit code 4)\n";
    return kExitUsage;
  } catch (const BackendError& error) {
    std::cerr << "qconform: " << error.what() << " (exit code 6)\n";
    return kExitBackendUnusable;
  } catch (const PipelineError& error) {
    std::cerr << "qconform: the pipeline refuses this model as torch does, with "
              << error.kind() << ": " << error.what() << " (exit code 4)\n";
    return kExitUsage;
  } catch (const std::exception& error) {
    std::cerr << "qconform: internal error: " << error.what() << " (exit code 3)\n";
    return kExitInternal;
  }
  return exit_code;
}
