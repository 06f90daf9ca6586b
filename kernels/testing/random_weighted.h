// For tests: random operators of products with a weight, of every kind that the scalar
// definition has.
#ifndef QCONFORM_KERNELS_TESTING_RANDOM_WEIGHTED_H_
#define QCONFORM_KERNELS_TESTING_RANDOM_WEIGHTED_H_

#include <deque>
#include <string>

#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {

enum class Output { kCodes, kReal, kAccumulators };

// What a random operator is to be; the rest is drawn.
struct WeightedChoice {
  qc_operator_kind kind = QC_CONV;
  int spatial_rank = 2;
  Output output = Output::kCodes;
  bool dynamic = false;
  bool residual = false;
  int32_t activation = -1;  // -1: any bound
  int threads = 1;
  int64_t largest_channels = 24;
  // Codes about the bounds of sums in 16 bits (layout/short_sums.h), a few of them above,
  // and weights of bytes, many at the ends.
  bool short_sums = false;
};

// Owns the tensors of its test.
class RandomWeighted {
 public:
  RandomWeighted(uint32_t seed, const WeightedChoice& choice);
  RandomWeighted(const RandomWeighted&) = delete;

  const OperatorTest& test() const { return test_; }
  std::string Describe() const;

 private:
  std::vector<int64_t> DrawConv(std::vector<int64_t>& input,
                                std::vector<int64_t>& weight);
  std::vector<int64_t> DrawLinear(std::vector<int64_t>& input,
                                  std::vector<int64_t>& weight);
  TestTensor* DrawInput(const std::vector<int64_t>& shape);
  TestTensor DrawSmallCodes(const std::vector<int64_t>& shape);
  TestTensor* DrawWeight(const std::vector<int64_t>& shape);
  TestTensor* DrawBias(int64_t channels);
  TestTensor* DrawOutput(const std::vector<int64_t>& shape, double reduction);
  TestTensor* Keep(TestTensor tensor) {
    return &tensors_.emplace_back(std::move(tensor));
  }

  RandomTensors random_;
  WeightedChoice choice_;
  OperatorTest test_;
  std::deque<TestTensor> tensors_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TESTING_RANDOM_WEIGHTED_H_
