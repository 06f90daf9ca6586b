// For tests: tensors of random codes, qparams and memory layout.
#ifndef QCONFORM_KERNELS_TESTING_RANDOM_TENSOR_H_
#define QCONFORM_KERNELS_TESTING_RANDOM_TENSOR_H_

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "reference/numerics/test_tensor.h"

namespace qconform::kernels {

class RandomTensors {
 public:
  explicit RandomTensors(uint32_t seed) : random_(seed * 2654435761u + 17) {}

  int64_t Below(int64_t n) { return static_cast<int64_t>(random_() % n); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
  float Real(float low, float high) {
    return std::uniform_real_distribution<float>(low, high)(random_);
  }

  std::vector<int64_t> Shape(int most_rank, int64_t largest) {
    std::vector<int64_t> shape(static_cast<size_t>(Below(most_rank + 1)));
    for (int64_t& size : shape) size = OneIn(20) ? 0 : 1 + Below(largest);
    return shape;
  }

  // u8 or s8 per tensor; powers of two make ties. Any order of dimensions, with gaps.
  TestTensor Codes(const std::vector<int64_t>& shape) {
    std::vector<int> order(shape.size());
    std::iota(order.begin(), order.end(), 0);
    if (OneIn(2)) std::shuffle(order.begin(), order.end(), random_);
    return Codes(shape, order);
  }
  // `order` as of TestTensor.
  TestTensor Codes(const std::vector<int64_t>& shape, const std::vector<int>& order) {
    const bool is_signed = OneIn(2);
    TestTensor tensor(is_signed ? QC_S8 : QC_U8, shape, order, OneIn(4) ? 2 : 0);
    const int32_t least = is_signed ? -128 : 0;
    const float scale =
        OneIn(2) ? std::ldexp(1.0f, static_cast<int>(Below(6)) - 4) : Real(0.005f, 0.3f);
    tensor.Quantize({scale}, {static_cast<int32_t>(Below(256)) + least});
    std::vector<int32_t> codes(static_cast<size_t>(ElementCount(tensor.get())));
    for (int32_t& code : codes) code = static_cast<int32_t>(Below(256)) + least;
    WriteIntegers(tensor.get(), codes);
    if (OneIn(6)) {
      tensor.get().quant_min = least + 3;
      tensor.get().quant_max = least + 200;
    }
    return tensor;
  }

 private:
  std::mt19937 random_;
};

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_TESTING_RANDOM_TENSOR_H_
