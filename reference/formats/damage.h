// Damaged files for tests of readers: the damage comes from a fixed generator, so a
// failure comes again.
#ifndef QCONFORM_REFERENCE_FORMATS_DAMAGE_H_
#define QCONFORM_REFERENCE_FORMATS_DAMAGE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "reference/ir/expect_error.h"
#include "reference/ir/splitmix64.h"

namespace qconform {

inline size_t Below(size_t bound, SplitMix64& generator) {
  return static_cast<size_t>(generator.Next() % bound);
}

// One to three of: another byte, a byte less, a piece twice, a cut, a special text.
inline std::string Damage(std::string bytes, SplitMix64& generator) {
  constexpr const char* kTexts[] = {
      "[",    "{",    "\"",  "-1",        "1e999",
      "null", "[]",   "{}",  "\"x\"",     "9223372036854775808",
      ",",    "true", "0.5", "\"output\""};
  const size_t count = 1 + Below(3, generator);
  for (size_t i = 0; i < count && !bytes.empty(); ++i) {
    const size_t at = Below(bytes.size(), generator);
    const size_t length = std::min(Below(40, generator), bytes.size() - at);
    switch (Below(5, generator)) {
      case 0:
        bytes[at] = static_cast<char>(Below(256, generator));
        break;
      case 1:
        bytes.erase(at, 1 + Below(3, generator));
        break;
      case 2:
        bytes.insert(Below(bytes.size(), generator), bytes.substr(at, length));
        break;
      case 3:
        if (Below(8, generator) == 0) bytes.resize(at);
        break;
      default:
        bytes.replace(at, length, kTexts[Below(std::size(kTexts), generator)]);
    }
  }
  return bytes;
}

// Rounds in which the damage was still legal.
inline int CountReadable(const std::string& bytes, int rounds,
                         const std::function<void(const std::string&)>& read) {
  SplitMix64 generator(2026);
  int readable = 0;
  for (int i = 0; i < rounds; ++i) {
    const std::string damaged = Damage(bytes, generator);
    const std::string error = ErrorOf([&] { read(damaged); });
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    readable += error == "no error" ? 1 : 0;
  }
  return readable;
}

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_FORMATS_DAMAGE_H_
