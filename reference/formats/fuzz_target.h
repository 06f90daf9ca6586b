// What every fuzz target asks of a reader: bytes are read, or refused with one line.
// A target is a file that defines LLVMFuzzerTestOneInput (libFuzzer's entry point,
// https://llvm.org/docs/LibFuzzer.html); the preset `asan` builds them.
#ifndef QCONFORM_REFERENCE_FORMATS_FUZZ_TARGET_H_
#define QCONFORM_REFERENCE_FORMATS_FUZZ_TARGET_H_

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "reference/ir/error.h"

namespace qconform {

// `read` may throw InputError with a message of one line; anything else that leaves it
// ends the fuzzer.
template <typename Read>
int ReadOrRefuse(const uint8_t* data, size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) abort();
  }
  return 0;
}

// What a reader accepts can be written, and what was written reads as the same.
// `rewrite` makes of bytes that it reads the bytes that it would write.
template <typename Rewrite>
int RewriteOrRefuse(const uint8_t* data, size_t size, const Rewrite& rewrite) {
  return ReadOrRefuse(data, size, [&rewrite](std::string_view bytes) {
    const std::string written = rewrite(bytes);
    if (written != rewrite(std::string_view(written))) abort();
  });
}

// A file in memory, for readers that want a path.
class FileInMemory {
 public:
  explicit FileInMemory(std::string_view bytes)
      : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0) abort();
    if (write(descriptor_, bytes.data(), bytes.size()) !=
        static_cast<ssize_t>(bytes.size())) {
      abort();
    }
  }
  ~FileInMemory() { close(descriptor_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;
  std::filesystem::path path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_FUZZ_TARGET_H_
