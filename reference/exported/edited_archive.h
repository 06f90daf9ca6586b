// Archives for tests: one of testdata with a member changed.
#ifndef QCONFORM_REFERENCE_EXPORTED_EDITED_ARCHIVE_H_
#define QCONFORM_REFERENCE_EXPORTED_EDITED_ARCHIVE_H_

#include <zip.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include "reference/exported/archive.h"
#include "reference/exported/mapped_file.h"
#include "reference/formats/write_file.h"

namespace qconform {

inline std::filesystem::path Pt2TestFile(const std::string& name) {
  return std::filesystem::path(QCONFORM_SOURCE_DIR) / "reference/exported/testdata" /
         name;
}

inline MappedBytes BytesInMemory(std::string_view text) {
  MappedBytes bytes{std::make_shared<std::byte[]>(text.size() + 1), text.size()};
  std::memcpy(bytes.storage.get(), text.data(), text.size());
  return bytes;
}

// Another text in each place, e.g. of a member's name; both of one length.
inline std::string Replaced(std::string bytes, std::string_view from,
                            std::string_view to) {
  for (size_t at = bytes.find(from); at != std::string::npos;
       at = bytes.find(from, at + to.size())) {
    bytes.replace(at, from.size(), to);
  }
  return bytes;
}

// All members anew, with `content` as that one, compressed with `method` of libzip:
// changing some in place, libzip 1.7 leaves the others' headers inconsistent.
inline std::string WithMember(const std::string& archive, const std::string& member,
                              const std::string& content, int method = ZIP_CM_STORE) {
  Archive from = Archive::Parse(BytesInMemory(archive), "archive");
  OrderedMap<std::string> contents;
  for (const std::string& name : from.Members()) contents.Set(name, from.Read(name));
  contents.Set(member, content);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* whole = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(whole);
  zip_t* zip = zip_open_from_source(whole, ZIP_TRUNCATE, &error);
  if (zip == nullptr) std::abort();
  for (const auto& [name, bytes] : contents) {
    zip_source_t* part = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(zip, ("root/" + name).c_str(), part, 0);
    if (index < 0) std::abort();
    zip_set_file_compression(zip, static_cast<zip_uint64_t>(index),
                             name == member ? method : ZIP_CM_STORE, 0);
  }
  if (zip_close(zip) != 0) std::abort();
  zip_source_open(whole);
  zip_source_seek(whole, 0, SEEK_END);
  std::string bytes(static_cast<size_t>(zip_source_tell(whole)), '\0');
  zip_source_seek(whole, 0, SEEK_SET);
  zip_source_read(whole, bytes.data(), bytes.size());
  zip_source_close(whole);
  zip_source_free(whole);
  return bytes;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_EXPORTED_EDITED_ARCHIVE_H_
