#include "reference/formats/write_file.h"

#include <unistd.h>

#include <atomic>
#include <fstream>
#include <system_error>

#include "reference/ir/error.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

// Unique in this process and among those that run now.
fs::path TemporaryName(const fs::path& path) {
  static std::atomic<unsigned> count{0};
  fs::path name = path;
  name += ".tmp." + std::to_string(getpid()) + "." + std::to_string(count++);
  return name;
}

}  // namespace

std::string ReadFileBytes(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    throw InputError(path.string(), "no such file", "a readable file");
  }
  if (fs::is_directory(status)) {
    throw InputError(path.string(), "this is a folder", "a readable file");
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes;
  const uintmax_t size = fs::file_size(path, error);
  if (!error) bytes.reserve(size);
  char block[1 << 16];
  while (stream.read(block, sizeof(block)) || stream.gcount() > 0) {
    bytes.append(block, static_cast<size_t>(stream.gcount()));
  }
  if (!stream.eof()) {
    throw InputError(path.string(), "cannot be read", "a readable file");
  }
  return bytes;
}

void WriteFileAtomically(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error) {
    throw InputError(path.parent_path().string(), "cannot be created: " + error.message(),
                     "a writable folder");
  }
  const fs::path temporary = TemporaryName(path);
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) {
    fs::remove(temporary, error);
    throw InputError(path.string(), "cannot be written", "a writable place with room");
  }
  fs::rename(temporary, path, error);
  if (error) {
    const std::string reason = error.message();
    fs::remove(temporary, error);
    throw InputError(path.string(), "cannot be written: " + reason, "a writable place");
  }
}

void RequireWritable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (path.empty() || (fs::exists(status) && !fs::is_regular_file(status))) {
    throw InputError(path.string(),
                     fs::is_directory(status) ? "this is a folder" : "this is no file",
                     "a file that can be written");
  }
  // Missing folders would be created in this one.
  fs::path folder = path.parent_path();
  while (!folder.empty() && !fs::exists(folder, error)) folder = folder.parent_path();
  const fs::path probe = TemporaryName(folder / "qconform");
  const bool is_open = std::ofstream(probe).is_open();
  fs::remove(probe, error);
  if (!is_open) {
    throw InputError(
        path.string(), "cannot be written",
        "a writable place, and " + (folder.empty() ? "." : folder.string()) + " is none");
  }
}

}  // namespace qconform
