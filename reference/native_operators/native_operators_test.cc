// Operators of torch's engines, with the codes that torch printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "reference/ir/expect_error.h"
#include "reference/native_operators/native_registry.h"
#include "reference/native_operators/operator_run.h"

namespace qconform {
namespace {

using Codes = std::vector<int64_t>;

struct Quantized {
  Codes codes;
  double scale;
  int64_t zero_point;
};

Tensor TensorOf(const Quantized& quantized, DType dtype, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<int64_t>(quantized.codes.size())};
  Tensor tensor(dtype, shape);
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const int64_t code = quantized.codes[static_cast<size_t>(i)];
    if (dtype == DType::kQInt8) {
      tensor.data<int8_t>()[i] = static_cast<int8_t>(code);
    } else {
      tensor.data<uint8_t>()[i] = static_cast<uint8_t>(code);
    }
  }
  tensor.set_quantization(PerTensor(quantized.scale, quantized.zero_point));
  return tensor;
}

Codes Add(const std::string& engine, const std::string& name, const Tensor& a,
          const Tensor& b, double scale, int64_t zero_point) {
  const Registry registry = NativeRegistry(engine);
  const Value sum = (*registry.FindFunction(name))(Call(name, {a, b, scale, zero_point}));
  const Tensor& tensor = *sum.As<Tensor>();
  EXPECT_EQ(*tensor.quantization(), PerTensor(scale, zero_point));
  Codes codes;
  for (int64_t i = 0; i < tensor.numel(); ++i) codes.push_back(tensor.IntegerAt(i));
  return codes;
}

struct AddRow {
  const char* name;
  DType dtype;
  Quantized a;
  Quantized b;
  double scale;
  int64_t zero_point;
  Codes float_rule;
  Codes qnnpack;
};

// pytorch/pytorch#37343, #92246: QNNPACK adds quint8 in fixed point; the other engines,
// and all of them for qint8, in float32.
TEST(Add, FollowsTheEngine) {
  const DType quint8 = DType::kQUInt8;
  const DType qint8 = DType::kQInt8;
  const Quantized ties = {{11, 13, 15, 9, 7, 5, 4, 0}, 0.5, 10};
  const Quantized tens = {Codes(8, 10), 0.5, 10};
  const std::vector<AddRow> rows = {
      // 154.4999978
      {"quantized.add",
       quint8,
       {{158}, 0.040562573820352554, 112},
       {{136}, 0.08881603181362152, 126},
       0.09029635787010193,
       124,
       {154},
       {155}},
      {"quantized.add", qint8, {{127}, 1, 127}, {{127}, 1, 127}, 0.003, 0, {0}, {0}},
      // Halves to even and away from zero.
      {"quantized.add",
       quint8,
       ties,
       tens,
       1,
       128,
       {128, 130, 130, 128, 126, 126, 125, 123},
       {129, 130, 131, 127, 126, 125, 125, 123}},
      {"quantized.add",
       quint8,
       ties,
       tens,
       1,
       3,
       {3, 5, 5, 3, 1, 1, 0, 0},
       {4, 5, 6, 2, 1, 0, 0, 0}},
      {"quantized.add_relu",
       quint8,
       ties,
       tens,
       1,
       3,
       {3, 5, 5, 3, 3, 3, 3, 3},
       {4, 5, 6, 3, 3, 3, 3, 3}},
      {"quantized.add",
       qint8,
       {{1, 3, 5, -1, -3, -5, -7, 127}, 0.5, 0},
       {Codes(8, 0), 0.5, 0},
       1,
       3,
       {3, 5, 5, 3, 1, 1, -1, 67},
       {3, 5, 5, 3, 1, 1, -1, 67}},
      // 3 * 10^-6 above a half and 4 * 10^-4 below one.
      {"quantized.add",
       quint8,
       {{192}, 0.2879458963871002, 8},
       {{29}, 0.02245490625500679, 5},
       0.532546877861023,
       138,
       {238},
       {239}},
      {"quantized.add",
       quint8,
       {{197}, 0.7415575385093689, 100},
       {{48}, 0.42825961112976074, 219},
       0.010126911103725433,
       141,
       {13},
       {12}},
      {"quantized.add",
       quint8,
       {{255, 255, 0, 0, 130, 128}, 1, 128},
       {{255, 0, 255, 0, 128, 129}, 3, 128},
       0.125,
       100,
       {255, 0, 255, 0, 116, 124},
       {255, 0, 255, 0, 116, 124}},
  };
  for (const AddRow& row : rows) {
    const Tensor a = TensorOf(row.a, row.dtype);
    const Tensor b = TensorOf(row.b, row.dtype);
    for (const char* engine : {"fbgemm", "x86", "onednn"}) {
      EXPECT_EQ(Add(engine, row.name, a, b, row.scale, row.zero_point), row.float_rule)
          << engine;
    }
    EXPECT_EQ(Add("qnnpack", row.name, a, b, row.scale, row.zero_point), row.qnnpack);
  }
}

// Shapes that QNNPACK does not take go the way of the other engines.
TEST(Add, BroadcastsInFloatForQnnpack) {
  const Tensor a = TensorOf({{158}, 0.040562573820352554, 112}, DType::kQUInt8);
  const Tensor b = TensorOf({Codes(4, 136), 0.08881603181362152, 126}, DType::kQUInt8);
  EXPECT_EQ(Add("qnnpack", "quantized.add", a, b, 0.09029635787010193, 124),
            Codes(4, 154));
}

TEST(Add, RefusesWhatQnnpackRefuses) {
  const auto kind = [](const char* name, double a_scale, double b_scale,
                       int64_t zero_point, Shape shape = {}) {
    return ErrorKindOf([&] {
      Add("qnnpack", name, TensorOf({{5}, a_scale, 0}, DType::kQUInt8, shape),
          TensorOf({{7}, b_scale, 0}, DType::kQUInt8, shape), 1, zero_point);
    });
  };
  EXPECT_EQ(kind("quantized.add", 0x1p-14, 1, 0), "");
  EXPECT_EQ(kind("quantized.add", 0x1p-15, 1, 0), "RuntimeError");
  EXPECT_EQ(kind("quantized.add", 1, 0x1p-15, 0), "RuntimeError");
  EXPECT_EQ(kind("quantized.add", 255.5, 1, 0), "");
  EXPECT_EQ(kind("quantized.add", 256, 1, 0), "RuntimeError");
  EXPECT_EQ(kind("quantized.add", 1, 256, 0), "RuntimeError");
  EXPECT_EQ(kind("quantized.add", 1, 1, 255), "");
  EXPECT_EQ(kind("quantized.add_relu", 1, 1, 255), "RuntimeError");
  EXPECT_EQ(kind("quantized.add_relu", 1, 1, 255, {0, 3}), "");
}

// Every pair of codes under these scales: the multipliers have 22 bits, so that a code
// differs from the exact sum's only close to a tie.
TEST(Add, OfQnnpackErrsOnlyCloseToTies) {
  Quantized a = {Codes(65536), 0.040562573820352554, 112};
  Quantized b = {Codes(65536), 0.08881603181362152, 126};
  for (size_t i = 0; i < a.codes.size(); ++i) {
    a.codes[i] = static_cast<int64_t>(i / 256);
    b.codes[i] = static_cast<int64_t>(i % 256);
  }
  const double scale = 0.09029635787010193;
  const Codes sums = Add("qnnpack", "quantized.add", TensorOf(a, DType::kQUInt8),
                         TensorOf(b, DType::kQUInt8), scale, 124);
  int hits = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    const double exact = (static_cast<double>(a.codes[i] - 112) * a.scale +
                          static_cast<double>(b.codes[i] - 126) * b.scale) /
                         scale;
    const double code = std::clamp(std::nearbyint(exact) + 124, 0.0, 255.0);
    if (static_cast<double>(sums[i]) == code) continue;
    ++hits;
    EXPECT_EQ(std::fabs(static_cast<double>(sums[i]) - code), 1);
    EXPECT_LT(std::fabs(exact - std::floor(exact) - 0.5), 0x1p-10);
  }
  EXPECT_EQ(hits, 3);  // as torch counts
}

}  // namespace
}  // namespace qconform
