#include "conformance/host/find_command.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <sstream>

#include "conformance/host/plugin.h"

extern char** environ;

namespace qconform {
namespace {

namespace fs = std::filesystem;

bool IsAssignment(const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  for (const char c : word.substr(0, equals))
    if (c != '_' && std::isalnum(static_cast<unsigned char>(c)) == 0) return false;
  return std::isdigit(static_cast<unsigned char>(word[0])) == 0;
}

// On PATH, or a word of the shell.
bool IsKnownToShell(const std::string& word) {
  std::string words[] = {"/bin/sh", "-c", "command -v \"$0\" >/dev/null 2>&1", word};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       nullptr};
  pid_t process = -1;
  if (posix_spawn(&process, arguments[0], nullptr, nullptr, arguments, environ) != 0)
    return true;
  int status = 0;
  return waitpid(process, &status, 0) != process || status == 0;
}

// "" for nothing.
std::string Objection(const std::string& command) {
  std::istringstream words(command);
  std::string word;
  bool found = false;
  while (!found && words >> word) found = word != "exec" && !IsAssignment(word);
  if (!found) return "no command";
  if (word.find_first_of("'\"$`\\&;|<>(){}*?[]~#!") != std::string::npos) return "";
  if (word.find('/') == std::string::npos)
    return IsKnownToShell(word) ? "" : "no command " + word + " on PATH";
  std::error_code missing;
  if (!fs::exists(word, missing)) return "no file " + word;
  if (fs::is_directory(word, missing)) return word + " is a folder";
  return access(word.c_str(), X_OK) == 0 ? "" : word + " is not executable";
}

}  // namespace

void CheckCommand(const std::string& subject, const std::string& command) {
  const std::string objection = Objection(command);
  if (objection.empty()) return;
  throw BackendError(subject + ": backend unusable: " + objection +
                     ", expected a command that the shell finds");
}

}  // namespace qconform
