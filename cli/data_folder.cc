#include "cli/data_folder.h"

#include <system_error>

namespace qconform {

namespace fs = std::filesystem;

fs::path DataFolder(const std::string& name, const fs::path& source) {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  // An installed binary never looks into the tree that it was built from.
  const std::string build = std::string(QCONFORM_BUILD_FOLDER) + "/";
  if (error || binary.string().starts_with(build)) return source;
  return binary.parent_path().parent_path() / "share/qconform" / name;
}

}  // namespace qconform
