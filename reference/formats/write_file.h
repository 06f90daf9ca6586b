// Files are read whole and written whole or not at all.
#ifndef QCONFORM_REFERENCE_FORMATS_WRITE_FILE_H_
#define QCONFORM_REFERENCE_FORMATS_WRITE_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace qconform {

// Throws InputError if the file is missing, a folder, or unreadable.
std::string ReadFileBytes(const std::filesystem::path& path);

// Writes beside `path` under a temporary name and renames. Creates missing folders.
// Throws InputError if that fails; no temporary file stays behind.
void WriteFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Throws InputError if WriteFileAtomically could not write there now. Leaves nothing.
void RequireWritable(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_WRITE_FILE_H_
