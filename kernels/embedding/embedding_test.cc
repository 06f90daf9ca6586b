#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/testing/backend_files.h"
#include "kernels/testing/random_tensor.h"
#include "kernels/testing/same_as_scalar.h"

namespace qconform::kernels {
namespace {

using Shape = std::vector<int64_t>;

const LoadedBackend& Backend() {
  static const LoadedBackend backend(kHalideBackend);
  return backend;
}

// Any order of dimensions, with gaps.
std::vector<int> AnyOrder(RandomTensors& random, const Shape& shape) {
  std::vector<int> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    if (random.OneIn(2)) std::swap(order[i - 1], order[random.Below(i)]);
  return order;
}

TestTensor Integers(RandomTensors& random, const Shape& shape,
                    const std::vector<int64_t>& values) {
  const bool wide = random.OneIn(2);
  TestTensor tensor(wide ? QC_S64 : QC_S32, shape, AnyOrder(random, shape),
                    random.OneIn(4) ? (wide ? 8 : 4) : 0);
  // By the logical index of every element.
  for (size_t n = 0; n < values.size(); ++n) {
    auto left = static_cast<int64_t>(n);
    int64_t offset = 0;
    for (int i = tensor.get().rank - 1; i >= 0; --i) {
      offset += left % shape[static_cast<size_t>(i)] * tensor.get().stride[i];
      left /= shape[static_cast<size_t>(i)];
    }
    char* const at = static_cast<char*>(tensor.get().data) + offset;
    const auto narrow = static_cast<int32_t>(values[n]);
    wide ? std::memcpy(at, &values[n], sizeof values[n])
         : std::memcpy(at, &narrow, sizeof narrow);
  }
  return tensor;
}

TestTensor Real(RandomTensors& random, const Shape& shape, float low, float high) {
  const bool dense = random.OneIn(2);
  TestTensor tensor(QC_F32, shape, dense ? std::vector<int>{} : AnyOrder(random, shape),
                    dense ? 0 : 4 * random.Below(2));
  std::vector<float> values(static_cast<size_t>(ElementCount(tensor.get())));
  for (float& value : values) value = random.Real(low, high);
  WriteReal(tensor.get(), values, *ParseScheme(kRealSchemeName));
  return tensor;
}

std::vector<float> Reals(RandomTensors& random, int64_t count, float low, float high) {
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = random.Real(low, high);
  return values;
}

TestTensor Packed(RandomTensors& random, int64_t rows, int64_t columns) {
  TestTensor table(QC_U4, {rows, columns}, {}, 1);  // room for every stride below
  const int64_t pair_stride = random.OneIn(4) && columns > 1 ? 2 : 1;
  table.get().stride[1] = pair_stride;
  table.get().stride[0] = (columns + 1) / 2 * pair_stride;
  auto* const bytes = static_cast<uint8_t*>(table.get().data);
  for (int64_t i = 0; i < rows * table.get().stride[0]; ++i)
    bytes[i] = static_cast<uint8_t>(random.Below(256));
  return table;
}

TestTensor Table(RandomTensors& random, int64_t rows, int64_t columns) {
  if (random.OneIn(8)) return Real(random, {rows, columns}, -3.0f, 3.0f);
  TestTensor table = random.OneIn(3) ? Packed(random, rows, columns)
                     : random.OneIn(2)
                         ? random.Codes({rows, columns})
                         : random.Codes({rows, columns}, std::vector<int>{0, 1});
  const auto zero_points = [&](int64_t count) {
    const bool packed = IsPacked(table.get());
    const int32_t low = table.get().dtype == QC_S8 ? -128 : 0;
    std::vector<int32_t> points(static_cast<size_t>(count));
    for (int32_t& point : points)
      point = low + static_cast<int32_t>(random.Below(packed ? 16 : 256));
    return points;
  };
  switch (random.Below(columns == 0 ? 2 : 5)) {
    case 0:
      table.Quantize(Reals(random, 1, 0.001f, 0.2f), zero_points(1));
      break;
    case 1:
      table.Quantize(Reals(random, rows, 0.001f, 0.2f), zero_points(rows), 0);
      break;
    case 2:
      table.Quantize(Reals(random, columns, 0.001f, 0.2f), zero_points(columns), 1);
      break;
    default:
      table.QuantizeRows(Reals(random, rows, 0.001f, 0.2f),
                         Reals(random, rows, -20.0f, 270.0f));
  }
  return table;
}

bool IsContiguous(const qc_tensor& tensor) {
  int64_t step = ElementBytes(tensor.dtype);
  for (int i = tensor.rank - 1; i >= 0; --i) {
    if (tensor.stride[i] != step) return false;
    step *= IsPacked(tensor) && i + 1 == tensor.rank ? (tensor.shape[i] + 1) / 2
                                                     : tensor.shape[i];
  }
  return true;
}

struct Size {
  int64_t rows, columns;
  Shape indices;
  int threads = 1;
};

std::string Difference(RandomTensors& random, const Size& size, qc_operator_kind kind) {
  TestTensor table = Table(random, size.rows, size.columns);
  int64_t count = 1;
  for (const int64_t extent : size.indices) count *= extent;
  std::vector<int64_t> rows(static_cast<size_t>(count));
  for (int64_t& row : rows) row = random.Below(size.rows);
  TestTensor indices = Integers(random, size.indices, rows);
  OperatorTest test{kind};
  test.threads = size.threads;
  test.inputs = {&indices, &table};
  if (random.OneIn(3)) test.attributes.padding_index = 1 + random.Below(size.rows);
  Shape shape = size.indices;
  std::optional<TestTensor> offsets, factors;
  if (kind == QC_EMBEDDING_BAG) {
    int64_t bags = size.indices[0];
    test.attributes.reduction = static_cast<int32_t>(random.Below(3));
    if (size.indices.size() == 1) {
      bags = random.Below(7);
      std::vector<int64_t> places = {0};
      for (int64_t i = 1; i < bags; ++i) places.push_back(random.Below(count + 1));
      std::sort(places.begin(), places.end());
      if (bags == 0) places.clear();
      if (random.OneIn(2)) {
        test.attributes.include_last_offset = 1;
        places.push_back(bags == 0 ? 0 : random.OneIn(2) ? count : places.back());
      }
      offsets = Integers(random, {static_cast<int64_t>(places.size())}, places);
      test.inputs.push_back(&*offsets);
    } else {
      test.inputs.push_back(nullptr);
    }
    if (test.attributes.reduction == QC_REDUCTION_SUM && random.OneIn(2)) {
      factors = Real(random, size.indices, -2.0f, 2.0f);
      test.inputs.push_back(&*factors);
    }
    shape = {bags};
  }
  shape.push_back(size.columns);
  for (TestTensor* input : test.inputs)
    if (input != nullptr && input != &indices && IsContiguous(input->get()) &&
        random.OneIn(2))
      test.constants.push_back(input);
  TestTensor y = random.OneIn(5) ? random.Codes(shape) : Real(random, shape, 0.0f, 1.0f);
  test.outputs = {&y};
  if (IsQuantized(y.get()) && random.OneIn(2))
    test.scheme = "real/one/away/bias_f32/zp_before";
  return DifferenceFromScalar(Backend(), test);
}

TEST(Embedding, RandomTablesAreExactOnEveryPath) {
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomTensors random(seed);
    const Size size = {1 + random.Below(9), random.OneIn(20) ? 0 : 1 + random.Below(70),
                       random.Shape(3, 5)};
    ASSERT_EQ(Difference(random, size, QC_EMBEDDING), "") << "seed " << seed;
  }
}

TEST(EmbeddingBag, RandomBagsAreExactOnEveryPath) {
  for (uint32_t seed = 1000; seed < 2000; ++seed) {
    RandomTensors random(seed);
    Size size = {1 + random.Below(9), random.OneIn(20) ? 0 : 1 + random.Below(70), {}};
    size.indices = {random.OneIn(20) ? 0 : 1 + random.Below(12)};
    if (random.OneIn(2)) size.indices.push_back(random.OneIn(20) ? 0 : random.Below(6));
    ASSERT_EQ(Difference(random, size, QC_EMBEDDING_BAG), "") << "seed " << seed;
  }
}

// Wider than a piece, with an odd tail, cut for threads.
TEST(Embedding, WideRowsAreExactWithThreads) {
  for (const int threads : {1, 2, 5})
    for (uint32_t seed = 0; seed < 24; ++seed) {
      RandomTensors random(seed);
      ASSERT_EQ(Difference(random, {50, 2051, {3, 17}, threads}, QC_EMBEDDING), "")
          << threads << " seed " << seed;
      ASSERT_EQ(Difference(random, {50, 2051, {51}, threads}, QC_EMBEDDING_BAG), "")
          << threads << " seed " << seed;
    }
}

struct Call {
  TestTensor indices, table, offsets, y;
  explicit Call(std::vector<int64_t> rows, std::vector<int64_t> places)
      : indices(QC_S64, {static_cast<int64_t>(rows.size())}),
        table(QC_U8, {3, 5}),
        offsets(QC_S64, {static_cast<int64_t>(places.size())}),
        y(QC_F32, {static_cast<int64_t>(places.size()), 5}) {
    std::memcpy(indices.get().data, rows.data(), rows.size() * sizeof rows[0]);
    std::memcpy(offsets.get().data, places.data(), places.size() * sizeof places[0]);
    table.QuantizeRows({0.1f, 0.2f, 0.3f}, {1.0f, 2.5f, -3.0f});
  }

  qc_status Run(bool constants_given) {
    const qc_attributes attributes = EmptyAttributes();
    const qc_tensor* inputs[] = {&indices.get(), &table.get(), &offsets.get()};
    const qc_tensor* constants[] = {nullptr, &table.get(), &offsets.get()};
    const qc_tensor* described[] = {&y.get()};
    qc_tensor* outputs[] = {&y.get()};
    const qc_descriptor descriptor =
        Descriptor(QC_EMBEDDING_BAG, attributes, inputs, described);
    const qc_backend& backend = Backend().table();
    qc_plan* plan = nullptr;
    qc_plan_info info = {};
    info.size = sizeof info;
    EXPECT_EQ(backend.plan(backend.context, &descriptor,
                           constants_given ? constants : nullptr, 1, &plan, &info),
              QC_OK);
    std::vector<int64_t> workspace(info.workspace_bytes / 8 + 1);
    const qc_status status = backend.run(plan, inputs, outputs, workspace.data());
    backend.destroy(plan);
    return status;
  }
};

TEST(EmbeddingBag, DataThatContradictAreInvalidAndNothingIsWritten) {
  for (const bool constants : {false, true}) {
    EXPECT_EQ(Call({0, 2}, {0, 1}).Run(constants), QC_OK);
    using Rows = std::vector<int64_t>;
    const std::pair<Rows, Rows> contradictions[] = {{{0, 3}, {0, 1}},
                                                    {{0, -1}, {0, 1}},
                                                    {{0, 2}, {1, 2}},
                                                    {{0, 2}, {0, 3}},
                                                    {{0, 2, 1}, {0, 2, 1}}};
    for (const auto& [rows, places] : contradictions) {
      Call call(rows, places);
      const std::vector<float> marks(call.y.real().size(), 7.25f);
      WriteReal(call.y.get(), marks, *ParseScheme(kRealSchemeName));
      EXPECT_EQ(call.Run(constants), QC_INVALID);
      EXPECT_EQ(call.y.real(), marks);
    }
  }
}

}  // namespace
}  // namespace qconform::kernels
