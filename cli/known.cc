#include "cli/known.h"

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "conformance/verdict/known_update.h"
#include "reference/formats/write_file.h"

namespace qconform {
namespace {

struct UpdateOptions {
  std::string run;
  std::string known;
};

int Update(const UpdateOptions& options) {
  const Journal run = ReadJournal(options.run);
  KnownFailures known{options.known, {}};
  std::optional<std::string> text;
  if (std::filesystem::exists(options.known)) {
    known = ReadKnownFailures(options.known);
    text = ReadFileBytes(options.known);
  }
  const std::string patch = PatchOf(known, text, run);
  std::cout << patch;
  return patch.empty() ? kExitAsExpected : kExitCaseFailed;
}

}  // namespace

void AddKnownVerb(CLI::App& app, int& exit_code) {
  CLI::App* verb = app.add_subcommand("known", "Keep the list of known failures true");
  verb->require_subcommand(1);
  auto options = std::make_shared<UpdateOptions>();
  CLI::App* update = verb->add_subcommand(
      "update", "Print a patch that fits the list to a run; writes nothing");
  update->add_option("RUN", options->run, "Journal of a run")->required();
  update
      ->add_option("--known", options->known,
                   "The list, CSV; one that is not there yet begins empty")
      ->required();
  update->footer(
      "Rows that it adds lack reason, issue, owner, since and expires: run refuses the "
      "list\nuntil a person has filled them in. Exit codes: 0 nothing to change, 1 a "
      "patch "
      "was\nprinted, 4 bad file.");
  update->callback([options, &exit_code] { exit_code = Update(*options); });
}

}  // namespace qconform
