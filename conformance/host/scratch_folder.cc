#include "conformance/host/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <system_error>

namespace qconform {

ScratchFolder::ScratchFolder(const std::string& name) {
  const char* room = std::getenv("TMPDIR");
  std::string made =
      std::string(room == nullptr ? "/tmp" : room) + "/qconform_" + name + "_XXXXXX";
  if (mkdtemp(made.data()) == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot make " + made);
  path_ = made;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace qconform
