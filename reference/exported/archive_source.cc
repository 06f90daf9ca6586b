#include "reference/exported/archive_source.h"

#include <algorithm>
#include <cstring>

namespace qconform {

zip_t* ArchiveSource::Open(std::string& reason) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_function_create(&Callback, this, &error);
  zip_t* archive = nullptr;
  if (source != nullptr) {
    archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error);
    if (archive == nullptr) zip_source_free(source);
  }
  if (archive == nullptr) reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  return archive;
}

zip_int64_t ArchiveSource::Callback(void* self, void* data, zip_uint64_t length,
                                    zip_source_cmd_t command) {
  return static_cast<ArchiveSource*>(self)->Answer(data, length, command);
}

zip_int64_t ArchiveSource::Answer(void* data, zip_uint64_t length,
                                  zip_source_cmd_t command) {
  switch (command) {
    case ZIP_SOURCE_OPEN:
      position_ = 0;
      return 0;
    case ZIP_SOURCE_READ: {
      const uint64_t count = std::min<uint64_t>(length, size_ - position_);
      if (count > 0) std::memcpy(data, bytes_ + position_, count);
      last_read_ = position_;
      position_ += count;
      return static_cast<zip_int64_t>(count);
    }
    case ZIP_SOURCE_STAT: {
      auto* status = static_cast<zip_stat_t*>(data);
      zip_stat_init(status);
      status->valid = ZIP_STAT_SIZE;
      status->size = size_;
      return sizeof(zip_stat_t);
    }
    case ZIP_SOURCE_SEEK:
      return Seek(data, length);
    case ZIP_SOURCE_TELL:
      return static_cast<zip_int64_t>(position_);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&error_, data, length);
    case ZIP_SOURCE_SUPPORTS:
      return ZIP_SOURCE_SUPPORTS_SEEKABLE;
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
      return 0;
    default:
      zip_error_set(&error_, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

zip_int64_t ArchiveSource::Seek(void* data, zip_uint64_t length) {
  const zip_int64_t target =
      zip_source_seek_compute_offset(position_, size_, data, length, &error_);
  if (target < 0) return -1;
  position_ = static_cast<uint64_t>(target);
  return 0;
}

}  // namespace qconform
