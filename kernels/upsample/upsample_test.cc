#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"
#include "kernels/upsample/interpolate_rows.h"
#include "reference/numerics/resampling.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

std::string Difference(RandomTensors& random, const qc_attributes& attributes,
                       const Shape& from, const Shape& to, int threads = 1,
                       const std::string& scheme = "") {
  static const LoadedBackend backend(kHalideBackend);
  std::vector<int> last = {0};
  for (size_t i = 2; i < from.size(); ++i) last.push_back(static_cast<int>(i));
  last.push_back(1);
  const bool channels_last = random.OneIn(3);
  TestTensor x = channels_last ? random.Codes(from, last) : random.Codes(from);
  TestTensor y = channels_last ? random.Codes(to, last) : random.Codes(to);
  if (x.get().dtype == y.get().dtype && random.OneIn(2)) {
    y.Quantize({x.get().scale[0]}, {x.get().zero_point[0]});
    y.get().quant_min = x.get().quant_min;
    y.get().quant_max = x.get().quant_max;
  }
  OperatorTest test{QC_UPSAMPLE, attributes};
  test.inputs = {&x};
  test.outputs = {&y};
  test.threads = threads;
  test.scheme = scheme;
  return DifferenceFromScalar(backend, test);
}

class EveryInterpolation : public testing::TestWithParam<qc_interpolation> {};

TEST_P(EveryInterpolation, RandomTensorsAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    RandomTensors random(seed);
    const int spatial = 1 + static_cast<int>(random.Below(3));
    const int64_t largest[] = {60, 16, 6};
    Shape from = {random.OneIn(12) ? 0 : 1 + random.Below(3),
                  random.OneIn(3) ? 1 + random.Below(80) : 1 + random.Below(10)};
    Shape to = from;
    qc_attributes a = EmptyAttributes();
    a.interpolation = GetParam();
    if (GetParam() == QC_INTERPOLATION_BILINEAR)
      a.align_corners = random.OneIn(2) ? 1 : 0;
    for (int i = 0; i < spatial; ++i) {
      const int64_t size = 1 + random.Below(largest[spatial - 1]);
      from.push_back(size);
      int64_t target = 1 + random.Below(largest[spatial - 1] * 3);
      if (random.OneIn(3)) target = size * (1 + random.Below(3));
      if (random.OneIn(3)) {
        a.scale_factor[i] = 1.0 + static_cast<double>(random.Below(200)) / 100.0;
        target = ResizedSize(size, a.scale_factor[i]);
      }
      to.push_back(target);
    }
    ASSERT_EQ(Difference(random, a, from, to), "") << "seed " << seed;
  }
}

// Above and below the size from which the axes follow one another, and more channels
// than an item takes.
TEST_P(EveryInterpolation, LargePlanesAreExactWithThreads) {
  for (const int threads : {1, 2, 5})
    for (const Shape& to : std::vector<Shape>{{2, 70, 40, 88}, {2, 70, 40, 89}})
      for (uint32_t seed = 0; seed < 3; ++seed) {
        RandomTensors random(seed);
        qc_attributes a = EmptyAttributes();
        a.interpolation = GetParam();
        EXPECT_EQ(Difference(random, a, {2, 70, 20, 31}, to, threads), "")
            << threads << " " << to[3] << " seed " << seed;
      }
}

TEST_P(EveryInterpolation, ScalesAtTheEndsOfFloat32) {
  for (const float scale : {3e38f, 1e37f, 1e-37f, 1e-44f})
    for (uint32_t seed = 0; seed < 10; ++seed) {
      RandomTensors random(seed);
      static const LoadedBackend backend(kHalideBackend);
      TestTensor x = random.Codes({1, 9, 4, 5});
      TestTensor y = random.Codes({1, 9, seed % 2 == 0 ? 9 : 120, 11});
      x.Quantize({scale}, {x.get().zero_point[0]});
      if (random.OneIn(2)) y.Quantize({scale}, {y.get().zero_point[0]});
      OperatorTest test{QC_UPSAMPLE};
      test.attributes.interpolation = GetParam();
      test.inputs = {&x};
      test.outputs = {&y};
      EXPECT_EQ(DifferenceFromScalar(backend, test), "") << scale << " seed " << seed;
    }
}

std::string NameOf(const testing::TestParamInfo<qc_interpolation>& info) {
  return info.param == QC_INTERPOLATION_NEAREST ? "Nearest" : "Linear";
}
INSTANTIATE_TEST_SUITE_P(Upsample, EveryInterpolation,
                         testing::Values(QC_INTERPOLATION_NEAREST,
                                         QC_INTERPOLATION_BILINEAR),
                         NameOf);

TEST(Upsample, OtherSchemes) {
  RandomTensors random(4);
  qc_attributes a = EmptyAttributes();
  const std::string away = "real/one/away/bias_f32/zp_before";
  EXPECT_EQ(Difference(random, a, {1, 3, 5}, {1, 3, 9}, 1, away), "");
  a.interpolation = QC_INTERPOLATION_BILINEAR;
  EXPECT_NE(
      Difference(random, a, {1, 3, 5}, {1, 3, 9}, 1, away).find("the scheme is real"),
      std::string::npos);
}

// Sums that lie so near the middle of two floats that double precision cannot tell.
TEST(Upsample, FusedMultiplyAddIsExactOnEveryPath) {
  const float above = std::nextafter(1.0f, 2.0f), below = 1.0f - (above - 1.0f);
  for (const Path path : RunnablePaths())
    for (const float a : {above, -above})
      for (const float b : {below, 1.0f, above})
        for (const float c : {0x1p24f, 0x1p24f + 2, -0x1p24f, -0x1p24f - 2, 0.0f, -1.0f,
                              0x1p-126f, 0x1p60f}) {
          float sum = 0;
          const LinearSource source{0, 0, a, 1.0f};
          InterpolatedRowsOf(path).between(&b, &c, 1, source, &sum);
          EXPECT_EQ(sum, std::fma(a, b, c)) << a << " " << b << " " << c;
        }
}

}  // namespace
}  // namespace qconform::kernels
