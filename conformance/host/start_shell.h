// Starts a user's command on a folder: `exec:` and `pipeline:` subjects.
#ifndef QCONFORM_CONFORMANCE_HOST_START_SHELL_H_
#define QCONFORM_CONFORMANCE_HOST_START_SHELL_H_

#include <sys/types.h>

#include <filesystem>
#include <string>

namespace qconform {

struct ShellStart {
  std::string command;
  std::string before;  // what the shell does first: "" or statements that end in "; "
  std::filesystem::path folder;   // handed to the command behind its own words
  std::filesystem::path printed;  // to which both of its outputs are appended
};

// In a process group of its own: Ctrl-C reaches the host only, and a kill of the group
// reaches children. `input`: a descriptor to read from, which stays the caller's.
// Throws std::system_error.
pid_t StartShell(const ShellStart& start, int input);

}  // namespace qconform

#endif  // QCONFORM_CONFORMANCE_HOST_START_SHELL_H_
