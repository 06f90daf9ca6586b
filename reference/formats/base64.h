// Base64 with padding (RFC 4648, section 4).
#ifndef QCONFORM_REFERENCE_FORMATS_BASE64_H_
#define QCONFORM_REFERENCE_FORMATS_BASE64_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace qconform {

std::string EncodeBase64(std::span<const std::byte> bytes);

// Bytes that `text` stands for by its length and padding.
size_t DecodedBase64Size(std::string_view text);

// Fills `bytes`, whose size is DecodedBase64Size(text). False if the text is not
// canonical base64.
bool DecodeBase64(std::string_view text, std::span<std::byte> bytes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_BASE64_H_
