#ifndef QCONFORM_REFERENCE_FORMATS_SHA256_H_
#define QCONFORM_REFERENCE_FORMATS_SHA256_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace qconform {

// SHA-256 as 64 lower-case hexadecimal digits (FIPS 180-4).
std::string Sha256Hex(std::string_view bytes);
// Of a file's bytes; throws InputError if it cannot be read.
std::string Sha256HexOfFile(const std::filesystem::path& path);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_SHA256_H_
