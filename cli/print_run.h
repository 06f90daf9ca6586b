// A run for a person: one line a group, one first failure with its cause, the counts.
#ifndef QCONFORM_CLI_PRINT_RUN_H_
#define QCONFORM_CLI_PRINT_RUN_H_

#include <map>
#include <ostream>
#include <string>

#include "conformance/verdict/kill_record.h"
#include "conformance/verdict/session.h"

namespace qconform {

// `repro` is the command that, with the quoted id of a case behind it, runs that again;
// `saboteurs` what SaboteursText says, or "".
void PrintRun(const SessionResult& result, const std::string& repro,
              const std::string& journal, std::ostream& out,
              const std::string& saboteurs = "");

// How many saboteurs the suites catch, by what was recorded of them. `suites`: SHA-256 of
// the file of each, by name.
std::string SaboteursText(const KillRecord& record,
                          const std::map<std::string, std::string>& suites);

}  // namespace qconform

#endif  // QCONFORM_CLI_PRINT_RUN_H_
