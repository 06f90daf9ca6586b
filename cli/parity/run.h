// Compares a folder of oracle records with what the pipeline does.
#ifndef QCONFORM_CLI_PARITY_RUN_H_
#define QCONFORM_CLI_PARITY_RUN_H_

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/parity/part.h"

namespace qconform::parity {

struct ParityOptions {
  // Only these parts; empty: all.
  std::vector<std::string> parts;
  // Only records whose name holds this text.
  std::string filter;
  // Also the places that agree inside a bound only.
  bool notes = false;
};

// `folder` holds parts (fx/, fx_matrix/, match.json, ...) or is a part itself, or one
// file of it. Prints a line a part, the first difference of each record that is not
// equal, and counts by stage. Returns the exit code: 0 if all is equal, 1 if something
// differs, 5 if nothing was compared. Throws InputError on a malformed record.
int RunParity(const std::filesystem::path& folder, const ParityOptions& options,
              std::ostream& out);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_RUN_H_
