#include "conformance/host/process_state.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

extern char** environ;

namespace qconform {
namespace {

std::string FolderNow() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) == nullptr ? "" : path;
}

std::vector<std::string> EnvironmentNow() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    entries.emplace_back(*entry);
  return entries;
}

// Entry by entry, without a copy: this is done for every call.
bool IsEnvironment(const std::vector<std::string>& entries) {
  size_t i = 0;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry, ++i)
    if (i == entries.size() || std::strcmp(*entry, entries[i].c_str()) != 0) return false;
  return i == entries.size();
}

using Variables = std::map<std::string, std::string, std::less<>>;

Variables VariablesOf(const std::vector<std::string>& entries) {
  Variables variables;
  for (const std::string& entry : entries) {
    const size_t equals = entry.find('=');
    // Intel's and LLVM's OpenMP sign in with these when they are first used.
    const bool is_runtimes_own = entry.starts_with("__KMP_REGISTERED_LIB");
    if (equals != std::string::npos && !is_runtimes_own)
      variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return variables;
}

// The first, by name, that one of them lacks or has another value of; "" for none.
std::string FirstDifference(const Variables& a, const Variables& b) {
  std::string first;
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
    for (const auto& [name, value] : *one) {
      const auto found = other->find(name);
      if (found != other->end() && found->second == value) continue;
      if (first.empty() || name < first) first = name;
      break;
    }
  }
  return first;
}

bool IsSameAction(const struct sigaction& a, const struct sigaction& b) {
  // SA_RESTORER, which the C library adds to what anybody sets, if only back.
  constexpr int kRestorer = 0x04000000;
  return a.sa_sigaction == b.sa_sigaction &&
         (a.sa_flags & ~kRestorer) == (b.sa_flags & ~kRestorer);
}

bool IsSameSet(const sigset_t& a, const sigset_t& b) {
  // Real-time signals are the harness's own.
  for (int number = 1; number < 32; ++number)
    if (sigismember(&a, number) != sigismember(&b, number)) return false;
  return true;
}

// SIGSEGV is looked at after every function (watched_call.h).
bool IsWatched(int number) {
  return number != SIGKILL && number != SIGSTOP && number != SIGSEGV;
}

}  // namespace

ProcessState::ProcessState() {
  file_mode_ = umask(022);
  umask(file_mode_);
  for (int number = 1; number < 32; ++number)
    if (IsWatched(number))
      sigaction(number, nullptr, &actions_[static_cast<size_t>(number)]);
  Renew();
}

void ProcessState::Renew() {
  if (const std::string now = FolderNow(); now != folder_) folder_ = now;
  if (!IsEnvironment(environment_)) environment_ = EnvironmentNow();
  if (const char* now = setlocale(LC_ALL, nullptr); locale_ != now) locale_ = now;
  thread_locale_ = uselocale(nullptr);
  sigprocmask(SIG_SETMASK, nullptr, &blocked_);
  const mode_t mode = umask(file_mode_);
  if (mode != file_mode_) umask(file_mode_ = mode);
}

std::string ProcessState::RestoreEnvironment() {
  if (IsEnvironment(environment_)) return "";
  const Variables before = VariablesOf(environment_);
  const std::string name = FirstDifference(before, VariablesOf(EnvironmentNow()));
  if (name.empty()) return "";
  clearenv();
  for (const auto& [variable, value] : before) setenv(variable.c_str(), value.c_str(), 1);
  environment_ = EnvironmentNow();
  return name;
}

bool ProcessState::RestoreLocale() {
  const bool of_process = locale_ != setlocale(LC_ALL, nullptr);
  const bool of_thread = uselocale(nullptr) != thread_locale_;
  if (of_process) setlocale(LC_ALL, locale_.c_str());
  if (of_thread) uselocale(thread_locale_);
  return of_process || of_thread;
}

std::string ProcessState::Restore() {
  std::string changed;
  if (const std::string variable = RestoreEnvironment(); !variable.empty())
    changed = "leaves the environment variable " + variable + " changed";
  if (umask(file_mode_) != file_mode_) changed = "leaves another umask behind";
  if (FolderNow() != folder_) {
    changed = "leaves another working folder behind";
    if (chdir(folder_.c_str()) != 0) folder_ = FolderNow();
  }
  if (RestoreLocale()) changed = "leaves another locale behind";
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  if (!IsSameSet(blocked, blocked_)) {
    changed = "leaves signals blocked or let through that were not";
    sigprocmask(SIG_SETMASK, &blocked_, nullptr);
  }
  return changed;
}

std::string ProcessState::RestoreSignals() {
  std::string changed;
  for (int number = 1; number < 32; ++number) {
    if (!IsWatched(number)) continue;
    const struct sigaction& before = actions_[static_cast<size_t>(number)];
    struct sigaction now;
    sigaction(number, nullptr, &now);
    if (IsSameAction(before, now)) continue;
    sigaction(number, &before, nullptr);
    if (changed.empty())
      changed = "leaves SIG" + std::string(sigabbrev_np(number)) + " with another action";
  }
  return changed;
}

}  // namespace qconform
