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

namespace qconform {

// SplitMix64 (Steele, Lea, Flood 2014).
class DamageGenerator {
 public:
  explicit DamageGenerator(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  size_t Below(size_t bound) { return static_cast<size_t>(Next() % bound); }

 private:
  uint64_t state_;
};

// One to three of: another byte, a byte less, a piece twice, a cut, a special text.
inline std::string Damage(std::string bytes, DamageGenerator& generator) {
  constexpr const char* kTexts[] = {
      "[",    "{",    "\"",  "-1",        "1e999",
      "null", "[]",   "{}",  "\"x\"",     "9223372036854775808",
      ",",    "true", "0.5", "\"output\""};
  const size_t count = 1 + generator.Below(3);
  for (size_t i = 0; i < count && !bytes.empty(); ++i) {
    const size_t at = generator.Below(bytes.size());
    const size_t length = std::min(generator.Below(40), bytes.size() - at);
    switch (generator.Below(5)) {
      case 0:
        bytes[at] = static_cast<char>(generator.Below(256));
        break;
      case 1:
        bytes.erase(at, 1 + generator.Below(3));
        break;
      case 2:
        bytes.insert(generator.Below(bytes.size()), bytes.substr(at, length));
        break;
      case 3:
        if (generator.Below(8) == 0) bytes.resize(at);
        break;
      default:
        bytes.replace(at, length, kTexts[generator.Below(std::size(kTexts))]);
    }
  }
  return bytes;
}

// Rounds in which the damage was still legal.
inline int CountReadable(const std::string& bytes, int rounds,
                         const std::function<void(const std::string&)>& read) {
  DamageGenerator generator(2026);
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
