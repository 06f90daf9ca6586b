#include "kernels/recurrent/gate_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

namespace qconform::kernels {
namespace {

void ExpectExact(std::vector<float> values) {
  for (size_t first = 0; first < values.size(); first += kGateBlock) {
    const size_t count = std::min<size_t>(kGateBlock, values.size() - first);
    for (const Path path : RunnablePaths()) {
      std::vector<float> sigmoid(values.begin() + first, values.begin() + first + count);
      std::vector<float> tanh = sigmoid;
      Sigmoids(path, static_cast<int64_t>(count), sigmoid.data());
      Tanhs(path, static_cast<int64_t>(count), tanh.data());
      for (size_t i = 0; i < count; ++i) {
        const float x = values[first + i];
        ASSERT_EQ(std::bit_cast<int32_t>(sigmoid[i]),
                  std::bit_cast<int32_t>(GateSigmoid(x)))
            << PathName(path) << " sigmoid of " << x;
        ASSERT_EQ(std::bit_cast<int32_t>(tanh[i]), std::bit_cast<int32_t>(GateTanh(x)))
            << PathName(path) << " tanh of " << x;
      }
    }
  }
}

TEST(GateFunctions, EveryExponentIsExact) {
  std::mt19937 random(1);
  std::vector<float> values;
  for (uint32_t exponent = 0; exponent < 256; ++exponent)
    for (int i = 0; i < 2000; ++i)
      values.push_back(std::bit_cast<float>(
          exponent << 23 | (static_cast<uint32_t>(random()) & 0x807fffff)));
  ExpectExact(values);
}

TEST(GateFunctions, UsualArgumentsAreExact) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> usual(-12.0f, 12.0f);
  std::vector<float> values(1'000'000);
  for (float& value : values) value = usual(random);
  ExpectExact(values);
}

}  // namespace
}  // namespace qconform::kernels
