#include <gtest/gtest.h>

#include <list>
#include <string>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

TestTensor Real(RandomTensors& random, const Shape& shape, float range) {
  std::vector<int> order = {0, 1, 2};
  order.resize(shape.size());
  if (shape.size() == 3 && random.OneIn(3)) std::swap(order[0], order[1]);
  if (shape.size() == 3 && random.OneIn(3)) std::swap(order[1], order[2]);
  const bool dense = random.OneIn(2);
  TestTensor tensor(QC_F32, shape, dense ? std::vector<int>{} : order,
                    dense ? 0 : 4 * random.Below(2));
  std::vector<float> values(static_cast<size_t>(ElementCount(tensor.get())));
  for (float& value : values) value = random.Real(-range, range);
  WriteReal(tensor.get(), values, *ParseScheme(kRealSchemeName));
  return tensor;
}

TestTensor Weight(RandomTensors& random, int64_t rows, int64_t columns) {
  TestTensor weight = random.Codes({rows, columns}, std::vector<int>{0, 1});
  // Constants are contiguous.
  const qc_dtype dtype = static_cast<qc_dtype>(weight.get().dtype);
  const int32_t least = dtype == QC_S8 ? -128 : 0;
  TestTensor dense(dtype, {rows, columns});
  WriteIntegers(dense.get(), weight.integers());
  const bool per_gate = random.OneIn(3) && rows > 0;
  const auto count = static_cast<size_t>(per_gate ? rows : 1);
  std::vector<float> scales(count);
  std::vector<int32_t> zero_points(count);
  for (float& scale : scales) scale = random.Real(0.001f, 0.03f);
  for (int32_t& zero_point : zero_points)
    zero_point =
        random.OneIn(2) ? least + 128 : least + static_cast<int32_t>(random.Below(256));
  dense.Quantize(scales, zero_points, per_gate ? 0 : -1);
  return dense;
}

struct Sizes {
  int64_t steps, batch, input, hidden, layers = 1;
  bool bidirectional = false;
  int threads = 1;
};

class Layers {
 public:
  Layers(RandomTensors& random, qc_operator_kind kind, const Sizes& sizes,
         const std::string& scheme, bool dynamic, float range = 1.5f)
      : test_{kind} {
    const bool lstm = kind == QC_LSTM;
    const int64_t directions = sizes.bidirectional ? 2 : 1;
    const int64_t gates = (lstm ? 4 : 3) * sizes.hidden;
    qc_attributes& a = test_.attributes;
    a.hidden_size = sizes.hidden;
    a.layers = sizes.layers == 1 && random.OneIn(2) ? 0 : sizes.layers;
    a.bidirectional = sizes.bidirectional ? 1 : 0;
    a.batch_first = random.OneIn(2) ? 1 : 0;
    a.dynamic = dynamic ? 1 : 0;
    a.reduce_range = random.OneIn(2) ? 1 : 0;
    Shape x = {sizes.steps, sizes.batch, sizes.input};
    Shape y = {sizes.steps, sizes.batch, directions * sizes.hidden};
    if (a.batch_first != 0) {
      std::swap(x[0], x[1]);
      std::swap(y[0], y[1]);
    }
    const Shape state = {sizes.layers * directions, sizes.batch, sizes.hidden};
    Input(Real(random, x, range), false);
    const bool zeros = random.OneIn(2);
    for (int i = 0; i < 2; ++i) {
      if (i == 1 && !lstm) {
        test_.inputs.push_back(nullptr);
      } else if (zeros) {
        Input(TestTensor(QC_F32, state), true);
      } else {
        Input(Real(random, state, range), false);
      }
    }
    const bool biased = random.OneIn(2);
    for (int64_t i = 0; i < sizes.layers * directions; ++i) {
      const int64_t features = i < directions ? sizes.input : directions * sizes.hidden;
      Input(Weight(random, gates, features), true);
      Input(Weight(random, gates, sizes.hidden), true);
      for (int bias = 0; bias < 2; ++bias) {
        if (!biased) {
          test_.inputs.push_back(nullptr);
          continue;
        }
        std::vector<float> values(static_cast<size_t>(gates));
        for (float& value : values) value = random.Real(-1.0f, 1.0f);
        Input(TestTensor::Real({gates}, values), true);
      }
    }
    test_.outputs = {Keep(Real(random, y, 1.0f)), Keep(Real(random, state, 1.0f))};
    if (lstm) test_.outputs.push_back(Keep(Real(random, state, 1.0f)));
    test_.scheme = scheme;
    test_.threads = sizes.threads;
  }

  OperatorTest& test() { return test_; }

 private:
  TestTensor* Keep(TestTensor tensor) {
    tensors_.push_back(std::move(tensor));
    return &tensors_.back();
  }
  void Input(TestTensor tensor, bool constant) {
    test_.inputs.push_back(Keep(std::move(tensor)));
    if (constant) test_.constants.push_back(test_.inputs.back());
  }

  OperatorTest test_;
  std::list<TestTensor> tensors_;
};

constexpr char kBiasF32[] = "f32/one/even/bias_f32/zp_after";
constexpr char kBiasS32[] = "f32/one/even/bias_s32/zp_after";

void ExpectExact(const std::string& file, uint32_t first, uint32_t count, bool dynamic) {
  const LoadedBackend backend(file);
  const std::vector<std::string> schemes =
      dynamic ? std::vector<std::string>{"", kBiasF32, kBiasS32, kRealSchemeName}
              : std::vector<std::string>{""};
  for (uint32_t seed = first; seed < first + count; ++seed) {
    RandomTensors random(seed);
    const auto size = [&](int64_t most) {
      return random.OneIn(25) ? 0 : 1 + random.Below(most);
    };
    const Sizes sizes = {size(5),
                         size(8),
                         size(random.OneIn(5) ? 70 : 12),
                         1 + random.Below(random.OneIn(5) ? 70 : 12),
                         1 + random.Below(3),
                         random.OneIn(2),
                         1 + static_cast<int>(random.Below(3))};
    Layers layers(random, random.OneIn(2) ? QC_LSTM : QC_GRU, sizes,
                  schemes[static_cast<size_t>(random.Below(schemes.size()))], dynamic);
    ASSERT_EQ(DifferenceFromScalar(backend, layers.test()), "") << "seed " << seed;
  }
}

TEST(Recurrent, DynamicLayersAreExactOnEveryPath) {
  ExpectExact(kHalideBackend, 0, 400, true);
  ExpectExact(kBytesBackend, 1000, 100, true);
}

TEST(Recurrent, LayersOfRealProductsAreExactOnEveryPath) {
  ExpectExact(kHalideBackend, 2000, 200, false);
}

TEST(Recurrent, LargeLayersAreExactWithThreads) {
  const LoadedBackend backend(kHalideBackend);
  for (const bool bidirectional : {false, true})
    for (const int threads : {1, 2, 3})
      for (const qc_operator_kind kind : {QC_LSTM, QC_GRU}) {
        RandomTensors random(static_cast<uint32_t>(threads));
        const Sizes sizes = {3, 17, 257, 130, 2, bidirectional, threads};
        Layers layers(random, kind, sizes, "", true);
        EXPECT_EQ(DifferenceFromScalar(backend, layers.test()), "") << threads;
      }
}

// Arguments of the gates far from zero, of which sigmoid and tanh are one or nothing.
TEST(Recurrent, LargeAndStrangeValuesAreExact) {
  const LoadedBackend backend(kHalideBackend);
  for (uint32_t seed = 0; seed < 100; ++seed) {
    RandomTensors random(seed);
    Layers layers(random, random.OneIn(2) ? QC_LSTM : QC_GRU, {4, 3, 6, 9}, "",
                  random.OneIn(2), random.OneIn(2) ? 3e3f : 3e-38f);
    ASSERT_EQ(DifferenceFromScalar(backend, layers.test()), "") << seed;
  }
}

}  // namespace
}  // namespace qconform::kernels
