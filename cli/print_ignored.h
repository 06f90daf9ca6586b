// What a reader of settings ignored, as notes to the user.
#ifndef QCONFORM_CLI_PRINT_IGNORED_H_
#define QCONFORM_CLI_PRINT_IGNORED_H_

#include <iostream>

#include "reference/config/config_finding.h"

namespace qconform {

// Prints each key of a user's file that torch would ignore in silence, to standard error.
inline void PrintIgnored(const ConfigFindings& ignored) {
  for (const ConfigFinding& finding : ignored) {
    std::cerr << "note: " << ToText(finding) << '\n';
  }
}

}  // namespace qconform

#endif  // QCONFORM_CLI_PRINT_IGNORED_H_
