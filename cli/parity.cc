#include "cli/parity.h"

#include <iostream>
#include <memory>
#include <string>

#include "cli/parity/run.h"

namespace qconform {

void AddParityVerb(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string folder;
    parity::ParityOptions options;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* verb = app.add_subcommand(
      "parity", "compare oracle records of real torch with the reference pipeline");
  verb->add_option("folder", arguments->folder,
                   "records: a folder of parts, one part, or one file")
      ->required();
  verb->add_option("--part", arguments->options.parts,
                   "only these parts (fx, fx_matrix, match, ...)");
  verb->add_option("--record", arguments->options.filter,
                   "only records whose name holds this text");
  verb->add_flag("--notes", arguments->options.notes,
                 "also list what agrees only inside its bound or at a tie");
  verb->callback([arguments, &exit_code] {
    exit_code = parity::RunParity(arguments->folder, arguments->options, std::cout);
  });
}

}  // namespace qconform
