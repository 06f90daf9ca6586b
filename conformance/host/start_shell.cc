#include "conformance/host/start_shell.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <system_error>

extern char** environ;

namespace qconform {

pid_t StartShell(const ShellStart& start, int input) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawn_file_actions_addopen(&actions, 1, start.printed.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string words[] = {"/bin/sh", "-c", start.before + start.command + " \"$0\"",
                         start.folder.string()};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                       nullptr};
  pid_t process = -1;
  const int error =
      posix_spawn(&process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "cannot start " + start.command);
  return process;
}

}  // namespace qconform
