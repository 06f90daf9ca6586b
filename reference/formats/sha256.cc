#include "reference/formats/sha256.h"

#include <openssl/sha.h>

#include "reference/formats/write_file.h"

namespace qconform {

std::string Sha256Hex(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string Sha256HexOfFile(const std::filesystem::path& path) {
  return Sha256Hex(ReadFileBytes(path));
}

}  // namespace qconform
