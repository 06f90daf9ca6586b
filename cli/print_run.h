// A run for a person: one line a group, one first failure with its cause, the counts.
#ifndef QCONFORM_CLI_PRINT_RUN_H_
#define QCONFORM_CLI_PRINT_RUN_H_

#include <ostream>
#include <string>

#include "conformance/verdict/session.h"

namespace qconform {

// `repro` is the command that, with the quoted id of a case behind it, runs that again;
// `saboteurs` what SaboteursLine says, or "".
void PrintRun(const SessionResult& result, const std::string& repro,
              const std::string& journal, std::ostream& out,
              const std::string& saboteurs = "");

}  // namespace qconform

#endif  // QCONFORM_CLI_PRINT_RUN_H_
