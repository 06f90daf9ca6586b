// Bytes picked from all over a short stretch of memory, a vector at a time.
#ifndef QCONFORM_KERNELS_LAYOUT_BYTE_PERMUTATION_H_
#define QCONFORM_KERNELS_LAYOUT_BYTE_PERMUTATION_H_

#include <array>
#include <cstdint>
#include <vector>

namespace qconform::kernels {

class BytePermutation {
 public:
  // to[i] = from[sources[i]]: at least 16, and the first source and the last that lie in
  // memory at least 16 bytes apart; only bytes between them are read.
  static bool Takes(const std::vector<int64_t>& sources);
  explicit BytePermutation(const std::vector<int64_t>& sources);

  int64_t count() const { return count_; }
  // Loads for each vector of the result, 1 to 16.
  double LoadsOfVector() const {
    return static_cast<double>(steps_.size()) / static_cast<double>(vectors_.size());
  }
  void Run(const uint8_t* from, uint8_t* to) const { run_(*this, from, to); }

 private:
  friend struct BytePermutationKernels;

  // Sixteen bytes at `source`, some of which go where `order` says, the others nowhere.
  struct Step {
    int64_t source;
    std::array<uint8_t, 16> order;
  };
  // Sixteen bytes of the result: the steps up to `end`.
  struct Vector {
    int64_t to;
    int64_t end;
  };

  int64_t count_;
  std::vector<Step> steps_;
  std::vector<Vector> vectors_;
  void (*run_)(const BytePermutation& permutation, const uint8_t* from, uint8_t* to);
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_LAYOUT_BYTE_PERMUTATION_H_
