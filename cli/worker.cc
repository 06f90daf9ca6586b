#include "cli/worker.h"

#include <filesystem>

#include "reference/ir/error.h"

namespace qconform {

namespace fs = std::filesystem;

std::vector<std::string> WorkerCommand() {
  std::error_code error;
  const fs::path binary = fs::read_symlink("/proc/self/exe", error);
  const fs::path worker = binary.parent_path() / "qconform_worker";
  if (error || !fs::exists(worker)) {
    throw InputError(worker.string(), "no such file",
                     "the worker beside the qconform binary");
  }
  return {worker.string()};
}

}  // namespace qconform
