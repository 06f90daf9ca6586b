// A file's bytes without a copy of them.
#ifndef QCONFORM_REFERENCE_EXPORTED_MAPPED_FILE_H_
#define QCONFORM_REFERENCE_EXPORTED_MAPPED_FILE_H_

#include <cstddef>
#include <filesystem>
#include <memory>

namespace qconform {

// The bytes stay as long as a share of `storage` does. They may be written to: the pages
// are private, the file keeps its own. Who cuts the file short meanwhile ends the process
// with SIGBUS, as with every mapping; writers that rename (write_file.h) do not.
struct MappedBytes {
  std::shared_ptr<std::byte[]> storage;
  size_t size = 0;
};

// Throws InputError if the file is missing, a folder, or unreadable.
MappedBytes MapFile(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_MAPPED_FILE_H_
