#include "conformance/host/scratch_folder.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace qconform {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRandom = "XXXXXX";

// -1: it cannot be opened, or somebody holds it. The lock ends with its process, and no
// program that the process starts inherits it.
int Lock(const fs::path& folder) {
  const int opened =
      open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (opened < 0) return -1;
  if (flock(opened, LOCK_EX | LOCK_NB) == 0) return opened;
  close(opened);
  return -1;
}

bool IsMine(int opened) {
  struct stat facts = {};
  return fstat(opened, &facts) == 0 && facts.st_uid == geteuid();
}

void RemoveAbandoned(const fs::path& room, const std::string& prefix) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(room, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || name.size() != prefix.size() + kRandom.size())
      continue;
    const int lock = Lock(entry.path());
    if (lock < 0) continue;
    if (IsMine(lock)) fs::remove_all(entry.path(), ignored);
    close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& name) {
  const char* set = std::getenv("TMPDIR");
  const fs::path room = set == nullptr ? "/tmp" : set;
  const std::string prefix = "qconform_" + name + "_";
  RemoveAbandoned(room, prefix);
  // It gets its name when it is locked: till then it looks abandoned.
  std::string made = (room / "qconform_new_").string() + std::string(kRandom);
  if (mkdtemp(made.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make " + made);
  lock_ = Lock(made);
  path_ = room / (prefix + made.substr(made.size() - kRandom.size()));
  if (rename(made.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    rmdir(made.c_str());
    if (lock_ >= 0) close(lock_);
    throw std::system_error(error, std::generic_category(),
                            "cannot make " + path_.string());
  }
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void ScratchFolder::Clear() {
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    fs::remove_all(entry.path());
}

}  // namespace qconform
