#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

// With the input's qparams, which are copied, or with others.
std::string Difference(RandomTensors& random, qc_operator_kind kind,
                       const qc_attributes& attributes, const Shape& from,
                       const Shape& to, int threads = 1, const std::string& scheme = "") {
  static const LoadedBackend backend(kHalideBackend);
  TestTensor x = random.Codes(from);
  TestTensor y = random.Codes(to);
  if (x.get().dtype == y.get().dtype && !random.OneIn(3)) {
    y.Quantize({x.get().scale[0]}, {x.get().zero_point[0]});
    y.get().quant_min = x.get().quant_min;
    y.get().quant_max = x.get().quant_max;
  }
  OperatorTest test{kind, attributes};
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  test.scheme = scheme;
  return DifferenceFromScalar(backend, test);
}

// Other dimensions of as many elements.
Shape Regrouped(RandomTensors& random, const Shape& from) {
  Shape to;
  for (const int64_t size : from) {
    if (!to.empty() && random.OneIn(2)) {
      to.back() *= size;
    } else {
      to.push_back(size);
    }
  }
  for (size_t i = 0; i < to.size() && to.size() < 6; ++i)
    for (const int64_t factor : {2, 3, 5})
      if (to[i] > factor && to[i] % factor == 0 && random.OneIn(3)) {
        to[i] /= factor;
        to.insert(to.begin() + static_cast<int64_t>(i), factor);
        break;
      }
  return to;
}

TEST(Reshape, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const Shape from = random.Shape(4, 20);
    ASSERT_EQ(
        Difference(random, QC_RESHAPE, EmptyAttributes(), from, Regrouped(random, from)),
        "")
        << "seed " << seed;
  }
}

// No common axes: through a dense copy.
TEST(Reshape, ThroughACopy) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    RandomTensors random(seed);
    EXPECT_EQ(Difference(random, QC_RESHAPE, EmptyAttributes(), {40, 60, 70},
                         {70, 60, 40}, 1 + static_cast<int>(seed % 3)),
              "")
        << "seed " << seed;
  }
}

TEST(Transpose, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const Shape from = random.Shape(4, random.OneIn(4) ? 50 : 12);
    qc_attributes a = EmptyAttributes();
    std::iota(a.permutation, a.permutation + from.size(), int64_t{0});
    Shape to(from.size());
    for (size_t i = 0; i < from.size(); ++i) {
      const int64_t left = static_cast<int64_t>(from.size() - i);
      std::swap(a.permutation[i],
                a.permutation[i + static_cast<size_t>(random.Below(left))]);
      to[i] = from[static_cast<size_t>(a.permutation[i])];
    }
    ASSERT_EQ(Difference(random, QC_TRANSPOSE, a, from, to), "") << "seed " << seed;
  }
}

// Whole squares and rests in both directions, long rows, threads.
TEST(Transpose, LargeMatrices) {
  for (const Shape& shape :
       std::vector<Shape>{{17, 20'011}, {20'011, 17}, {300, 301}, {3, 40'000}}) {
    qc_attributes a = EmptyAttributes();
    a.permutation[0] = 1;
    for (uint32_t seed = 0; seed < 6; ++seed) {
      RandomTensors random(seed);
      EXPECT_EQ(Difference(random, QC_TRANSPOSE, a, shape, {shape[1], shape[0]},
                           1 + static_cast<int>(seed % 3)),
                "")
          << shape[0] << " seed " << seed;
    }
  }
}

TEST(Slice, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const Shape from = random.Shape(4, 20);
    qc_attributes a = EmptyAttributes();
    Shape to;
    for (size_t i = 0; i < from.size(); ++i) {
      a.start[i] = random.Below(from[i] + 1);
      a.stop[i] = a.start[i] + random.Below(from[i] - a.start[i] + 1);
      a.step[i] = random.Below(4);
      const int64_t step = a.step[i] == 0 ? 1 : a.step[i];
      to.push_back((a.stop[i] - a.start[i] + step - 1) / step);
    }
    ASSERT_EQ(Difference(random, QC_SLICE, a, from, to), "") << "seed " << seed;
  }
}

// The most that an axis can be padded by, of six.
int64_t MostPadding(int32_t mode, int64_t size) {
  switch (mode) {
    case QC_PADDING_REFLECT:
      return std::clamp<int64_t>(size - 1, 0, 6);
    case QC_PADDING_REPLICATE:
      return size == 0 ? 0 : 6;
    case QC_PADDING_CIRCULAR:
      return std::min<int64_t>(size, 6);
    default:
      return 6;
  }
}

TEST(Pad, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 800; ++seed) {
    RandomTensors random(seed);
    const Shape from = random.Shape(4, 12);
    qc_attributes a = EmptyAttributes();
    a.padding_mode = static_cast<int32_t>(random.Below(4));
    a.scalar = random.OneIn(2) ? 0.0f : random.Real(-9.0f, 9.0f);
    Shape to;
    for (size_t i = 0; i < from.size(); ++i) {
      if (!random.OneIn(2)) {
        const int64_t most = MostPadding(a.padding_mode, from[i]);
        a.start[i] = random.Below(most + 1);
        a.stop[i] = random.Below(most + 1);
      }
      to.push_back(from[i] + a.start[i] + a.stop[i]);
    }
    ASSERT_EQ(Difference(random, QC_PAD, a, from, to), "")
        << "seed " << seed << " mode " << a.padding_mode;
  }
}

TEST(PixelShuffle, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    RandomTensors random(seed);
    Shape wide = random.Shape(3, 9);
    while (wide.size() < 3) wide.push_back(1 + random.Below(9));
    if (random.OneIn(4)) wide.insert(wide.begin(), {2, 2, 2, 2, 1});
    qc_attributes a = EmptyAttributes();
    a.factor = 1 + random.Below(4);
    Shape deep = wide;
    const size_t channel = wide.size() - 3;
    deep[channel] *= a.factor * a.factor;
    wide[channel + 1] *= a.factor;
    wide[channel + 2] *= a.factor;
    const int threads = 1 + static_cast<int>(seed % 3);
    ASSERT_EQ(Difference(random, QC_PIXEL_SHUFFLE, a, deep, wide, threads), "") << seed;
    ASSERT_EQ(Difference(random, QC_PIXEL_UNSHUFFLE, a, wide, deep, threads), "") << seed;
  }
}

TEST(Movement, FollowsEverySchemeOfRealValues) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    RandomTensors random(seed);
    qc_attributes a = EmptyAttributes();
    a.start[0] = 3;
    a.scalar = 0.3f;
    for (const char* scheme :
         {"real/one/even/bias_f32/zp_after", "real/one/away/bias_f32/zp_before"})
      EXPECT_EQ(Difference(random, QC_PAD, a, {40}, {43}, 1, scheme), "") << scheme;
  }
}

// Blocks of whole pixels and rows, and what is too long for one.
TEST(PixelShuffle, Images) {
  for (const int64_t factor : {2, 3, 4})
    for (const Shape& pixels :
         std::vector<Shape>{{3, 28, 30}, {16, 9, 17}, {1, 5, 1'400}})
      for (uint32_t seed = 0; seed < 8; ++seed) {
        RandomTensors random(seed);
        qc_attributes a = EmptyAttributes();
        a.factor = factor;
        const Shape deep = {pixels[0] * factor * factor, pixels[1], pixels[2]};
        const Shape wide = {pixels[0], pixels[1] * factor, pixels[2] * factor};
        ASSERT_EQ(Difference(random, QC_PIXEL_SHUFFLE, a, deep, wide), "")
            << factor << " " << pixels[0] << " seed " << seed;
        ASSERT_EQ(Difference(random, QC_PIXEL_UNSHUFFLE, a, wide, deep), "")
            << factor << " " << pixels[0] << " seed " << seed;
      }
}

}  // namespace
}  // namespace qconform::kernels
