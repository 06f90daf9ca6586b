// A run for a person: one line a group, one first failure with its cause, the counts.
#ifndef QCONFORM_CLI_PRINT_RUN_H_
#define QCONFORM_CLI_PRINT_RUN_H_

#include <ostream>
#include <string>

#include "conformance/verdict/session.h"

namespace qconform {

// `repeat` is the command, without its selection, that runs cases of this run again.
void PrintRun(const SessionResult& result, const std::string& repeat,
              const std::string& journal, std::ostream& out);

}  // namespace qconform

#endif  // QCONFORM_CLI_PRINT_RUN_H_
