#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

// `shape` with `sizes` along the axis. One time in two all inputs have the output's
// qparams and may be copied.
std::string Difference(RandomTensors& random, Shape shape, size_t axis,
                       const Shape& sizes, int threads = 1,
                       const std::string& scheme = "") {
  static const LoadedBackend backend(kHalideBackend);
  std::vector<TestTensor> inputs;
  int64_t total = 0;
  for (const int64_t size : sizes) {
    shape[axis] = size;
    total += size;
    inputs.push_back(random.Codes(shape));
  }
  shape[axis] = total;
  TestTensor y = random.Codes(shape);
  const bool same = random.OneIn(2);
  for (TestTensor& x : inputs) {
    if (x.get().dtype != y.get().dtype || (!same && random.OneIn(2))) continue;
    x.Quantize({y.get().scale[0]}, {y.get().zero_point[0]});
    x.get().quant_min = y.get().quant_min;
    x.get().quant_max = y.get().quant_max;
  }
  OperatorTest test{QC_CONCAT};
  test.attributes.axis = static_cast<int64_t>(axis);
  for (TestTensor& x : inputs) test.inputs.push_back(&x);
  test.outputs = {&y};
  test.threads = threads;
  test.scheme = scheme;
  return DifferenceFromScalar(backend, test);
}

TEST(Concat, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 800; ++seed) {
    RandomTensors random(seed);
    Shape shape = random.Shape(4, 24);
    if (shape.empty()) shape.push_back(3);
    const auto axis =
        static_cast<size_t>(random.Below(static_cast<int64_t>(shape.size())));
    Shape sizes(static_cast<size_t>(1 + random.Below(5)));
    for (int64_t& size : sizes) size = random.OneIn(12) ? 0 : 1 + random.Below(30);
    ASSERT_EQ(Difference(random, shape, axis, sizes), "") << "seed " << seed;
  }
}

TEST(Concat, ThreadsDoNotChangeTheBits) {
  for (const int threads : {1, 2, 5})
    for (uint32_t seed = 0; seed < 8; ++seed) {
      RandomTensors random(seed);
      EXPECT_EQ(Difference(random, {2, 0, 61, 63}, 1, {33, 1, 17}, threads), "")
          << threads << " seed " << seed;
    }
}

TEST(Concat, FollowsEverySchemeOfRealValues) {
  for (const char* scheme :
       {"real/one/even/bias_f32/zp_after", "real/one/away/bias_f32/zp_before"}) {
    RandomTensors random(2);
    EXPECT_EQ(Difference(random, {3, 0, 7}, 1, {5, 6}, 1, scheme), "") << scheme;
  }
}

}  // namespace
}  // namespace qconform::kernels
