#include "reference/exported/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "reference/ir/error.h"

namespace qconform {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

MappedBytes MapFile(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat status = {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0) {
    throw InputError(path.string(), std::strerror(errno), "a readable file");
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(path.string(), "it is no regular file", "a readable file");
  }
  MappedBytes bytes;
  bytes.size = static_cast<size_t>(status.st_size);
  if (bytes.size == 0) return bytes;  // mmap refuses empty files
  void* address =
      mmap(nullptr, bytes.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.number(), 0);
  if (address == MAP_FAILED) {
    throw InputError(path.string(), std::strerror(errno), "a file that can be mapped");
  }
  bytes.storage = std::shared_ptr<std::byte[]>(
      static_cast<std::byte*>(address),
      [size = bytes.size](std::byte* start) { munmap(start, size); });
  return bytes;
}

}  // namespace qconform
