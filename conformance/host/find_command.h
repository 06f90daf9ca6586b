// Whether a user's command can be started at all, told before anything is asked of it.
#ifndef QCONFORM_CONFORMANCE_HOST_FIND_COMMAND_H_
#define QCONFORM_CONFORMANCE_HOST_FIND_COMMAND_H_

#include <string>

namespace qconform {

// Throws BackendError, one line that begins with `subject` ("exec:./runtime"), if what
// the command begins with is no word that the shell finds: no file, not executable,
// nothing on PATH, no word of the shell itself. Assignments and exec in front of it are
// passed over. A command that begins with quotes, variables and the like shows only when
// it runs whether there is something to run.
void CheckCommand(const std::string& subject, const std::string& command);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_FIND_COMMAND_H_
