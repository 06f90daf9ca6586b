#include "reference/formats/base64.h"

#include <array>
#include <cassert>
#include <cstdint>

namespace qconform {
namespace {

constexpr char kAlphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<int8_t, 256> MakeValues() {
  std::array<int8_t, 256> values{};
  for (int8_t& value : values) value = -1;
  for (int i = 0; i < 64; ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<int8_t>(i);
  }
  return values;
}
constexpr std::array<int8_t, 256> kValues = MakeValues();

}  // namespace

std::string EncodeBase64(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j) {
      group = group << 8 | (j < count ? static_cast<uint32_t>(bytes[i + j]) : 0u);
    }
    for (size_t j = 0; j < 4; ++j) {
      text += j <= count ? kAlphabet[(group >> (18 - 6 * j)) & 63u] : '=';
    }
  }
  return text;
}

size_t DecodedBase64Size(std::string_view text) {
  const size_t padding = text.ends_with("==") ? 2 : (text.ends_with("=") ? 1 : 0);
  const size_t size = text.size() / 4 * 3;
  return size < padding ? 0 : size - padding;
}

bool DecodeBase64(std::string_view text, std::span<std::byte> bytes) {
  assert(bytes.size() == DecodedBase64Size(text));
  if (text.size() % 4 != 0) return false;
  size_t out = 0;
  for (size_t i = 0; i < text.size(); i += 4) {
    const size_t count = std::min<size_t>(3, bytes.size() - out);
    uint32_t group = 0;
    for (size_t j = 0; j < 4; ++j) {
      const auto c = static_cast<unsigned char>(text[i + j]);
      if (j > count ? c != '=' : kValues[c] < 0) return false;
      group = group << 6 | (j > count ? 0u : static_cast<uint32_t>(kValues[c]));
    }
    for (size_t j = 0; j < count; ++j) {
      bytes[out++] = static_cast<std::byte>(group >> (16 - 8 * j) & 255u);
    }
    // Bits under the padding carry nothing and must be zero.
    if (count < 3 && (group & (count == 1 ? 0xFFFFu : 0xFFu)) != 0) return false;
  }
  return true;
}

}  // namespace qconform
