// Bytes in memory as a source of libzip that tells which of them were read last: so the
// library says where in the file a member lies, for which it has no call.
#ifndef QCONFORM_REFERENCE_EXPORTED_ARCHIVE_SOURCE_H_
#define QCONFORM_REFERENCE_EXPORTED_ARCHIVE_SOURCE_H_

#include <zip.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace qconform {

// Outlives the archive that reads from it; the bytes outlive both.
class ArchiveSource {
 public:
  ArchiveSource(const std::byte* bytes, size_t size) : bytes_(bytes), size_(size) {
    zip_error_init(&error_);
  }
  ~ArchiveSource() { zip_error_fini(&error_); }
  ArchiveSource(const ArchiveSource&) = delete;
  ArchiveSource& operator=(const ArchiveSource&) = delete;

  // nullptr if the bytes are no consistent zip file; `reason` says why.
  zip_t* Open(std::string& reason);
  uint64_t last_read() const { return last_read_; }

 private:
  static zip_int64_t Callback(void* self, void* data, zip_uint64_t length,
                              zip_source_cmd_t command);
  zip_int64_t Answer(void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t Seek(void* data, zip_uint64_t length);

  const std::byte* bytes_;
  uint64_t size_;
  uint64_t position_ = 0;
  uint64_t last_read_ = 0;
  zip_error_t error_ = {};
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_ARCHIVE_SOURCE_H_
