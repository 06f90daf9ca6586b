// A seeded generator that gives the same numbers on every machine (Steele, Lea,
// Flood, "Fast splittable pseudorandom number generators", 2014).
#ifndef QCONFORM_REFERENCE_IR_SPLITMIX64_H_
#define QCONFORM_REFERENCE_IR_SPLITMIX64_H_

#include <cstdint>

namespace qconform {

class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // [0, 1) with 53 bits.
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_IR_SPLITMIX64_H_
