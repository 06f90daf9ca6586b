// For tests of the binary: runs a shell command and keeps what it said.
#ifndef QCONFORM_CLI_SHELL_OUTCOME_H_
#define QCONFORM_CLI_SHELL_OUTCOME_H_

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace qconform {

struct ShellOutcome {
  int exit_code = -1;
  std::string output;  // both streams

  int Lines() const {
    return static_cast<int>(std::count(output.begin(), output.end(), '\n'));
  }
  std::string LastLine() const {
    const size_t end = output.find_last_not_of('\n');
    if (end == std::string::npos) return "";
    const size_t newline = output.rfind('\n', end);
    const size_t begin = newline == std::string::npos ? 0 : newline + 1;
    return output.substr(begin, end + 1 - begin);
  }
};

inline ShellOutcome RunShell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  ShellOutcome outcome;
  std::array<char, 4096> buffer;
  while (const size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    outcome.output.append(buffer.data(), count);
  }
  const int status = pclose(pipe);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

}  // namespace qconform

#endif  // QCONFORM_CLI_SHELL_OUTCOME_H_
