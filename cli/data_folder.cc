#include "cli/data_folder.h"

#include <system_error>

namespace qconform {

namespace fs = std::filesystem;

fs::path DataFolder(const std::string& name, const fs::path& source) {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = binary.parent_path().parent_path() / "share/qconform" / name;
  return !error && fs::is_directory(installed, error) ? installed : source;
}

}  // namespace qconform
