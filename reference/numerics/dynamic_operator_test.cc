// Operators that quantize at run time: DYNAMIC_QUANTIZE, LINEAR, LSTM, GRU. Expected
// values were printed by torch 2.14.1 (engine fbgemm).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/numerics/quantize_value.h"
#include "reference/numerics/scheme.h"
#include "reference/numerics/test_tensor.h"

namespace qconform {
namespace {

using Reals = std::vector<float>;

struct Chosen {
  TestTensor codes;
  TestTensor scale = TestTensor(QC_F32, {1});
  TestTensor zero_point = TestTensor(QC_S32, {1});
  TestRun run{};

  Chosen(qc_dtype dtype, TestTensor& x, bool reduce_range)
      : codes(dtype, ShapeOf(x.get())) {
    qc_attributes a = EmptyAttributes();
    a.reduce_range = reduce_range ? 1 : 0;
    run = RunOperator(QC_DYNAMIC_QUANTIZE, a, {&x}, {&codes, &scale, &zero_point});
  }
};

// torch.quantize_per_tensor_dynamic
TEST(DynamicQuantize, GivesCodesAndParameters) {
  TestTensor x = TestTensor::Real({2, 5}, PatternReal(10, 3));
  const Chosen whole(QC_U8, x, false);
  ASSERT_EQ(whole.run.reason, "");
  EXPECT_EQ(whole.codes.integers(), (Codes{143, 39, 199, 95, 255, 152, 48, 208, 104, 0}));
  EXPECT_EQ(whole.scale.real(), Reals{0.014460784f});
  EXPECT_EQ(whole.zero_point.integers(), Codes{130});
  const Chosen reduced(QC_U8, x, true);
  EXPECT_EQ(reduced.codes.integers(), (Codes{71, 20, 99, 48, 127, 76, 24, 104, 52, 0}));
  EXPECT_EQ(reduced.scale.real(), Reals{0.029035432f});
  EXPECT_EQ(reduced.zero_point.integers(), Codes{65});
  const Chosen with_sign(QC_S8, x, true);
  EXPECT_EQ(with_sign.codes.integers(),
            (Codes{7, -44, 35, -16, 63, 12, -40, 40, -12, -64}));
  EXPECT_EQ(with_sign.zero_point.integers(), Codes{1});
}

TEST(DynamicQuantize, TakesNothingZerosAndNaN) {
  TestTensor none = TestTensor::Real({0, 5}, {});
  const Chosen empty(QC_U8, none, false);
  EXPECT_EQ(empty.run.status, QC_OK);
  EXPECT_EQ(empty.scale.real(), Reals{0.1f});
  EXPECT_EQ(empty.zero_point.integers(), Codes{0});
  TestTensor zeros = TestTensor::Real({2}, {0.0f, 0.0f});
  EXPECT_EQ(Chosen(QC_S8, zeros, false).codes.integers(), Codes(2, 127));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TestTensor strange = TestTensor::Real({3}, {1.0f, nan, -1.0f});
  EXPECT_EQ(Chosen(QC_U8, strange, false).codes.integers(), (Codes{255, 0, 1}));
}

TEST(DynamicQuantize, RefusesOutputsOfAnotherKind) {
  TestTensor x = TestTensor::Real({2}, {1.0f, 2.0f});
  TestTensor codes(QC_U8, {2});
  TestTensor scale(QC_F32, {1});
  EXPECT_EQ(RunOperator(QC_DYNAMIC_QUANTIZE, EmptyAttributes(), {&x}, codes).reason,
            "output 1 is missing");
  EXPECT_EQ(
      RunOperator(QC_DYNAMIC_QUANTIZE, EmptyAttributes(), {&x}, {&codes, &scale, &scale})
          .reason,
      "output 2 is not s32 [1]");
}

// int8 codes, symmetric, by torch's default weight observer.
TestTensor Weight(std::vector<int64_t> shape, int32_t seed) {
  const Reals values = PatternReal(shape[0] * shape[1], seed);
  float largest = 0.0f;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  const float scale = largest / 127.5f;
  Codes codes;
  for (const float value : values) {
    codes.push_back(QuantizeSaturating(value, ReciprocalScale(scale), 0, -128, 127));
  }
  return TestTensor::Codes(QC_S8, std::move(shape), codes, scale, 0);
}

TestTensor Scaled(std::vector<int64_t> shape, int32_t seed, float divisor) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  Reals values = PatternReal(count, seed);
  for (float& value : values) value /= divisor;
  return TestTensor::Real(std::move(shape), values);
}

// Two layers in both directions: 3 steps, 2 samples, 3 features, 2 hidden units.
struct Layers {
  bool lstm;
  TestTensor x = Scaled({3, 2, 3}, 9, 4.0f);
  TestTensor h0 = Scaled({4, 2, 2}, 10, 16.0f);
  TestTensor c0 = Scaled({4, 2, 2}, 11, 16.0f);
  TestTensor y = TestTensor(QC_F32, {3, 2, 4});
  TestTensor hn = TestTensor(QC_F32, {4, 2, 2});
  TestTensor cn = TestTensor(QC_F32, {4, 2, 2});
  std::vector<TestTensor> weights;
  qc_attributes attributes = EmptyAttributes();

  explicit Layers(bool is_lstm) : lstm(is_lstm) {
    const int64_t rows = lstm ? 8 : 6;
    for (int32_t i = 0; i < 4; ++i) {
      weights.push_back(Weight({rows, i < 2 ? 3 : 4}, 4 * i + 1));
      weights.push_back(Weight({rows, 2}, 4 * i + 2));
      weights.push_back(Scaled({rows}, 4 * i + 3, 8.0f));
      weights.push_back(Scaled({rows}, 4 * i + 4, 8.0f));
    }
    attributes.hidden_size = 2;
    attributes.layers = 2;
    attributes.bidirectional = 1;
    attributes.dynamic = 1;
    attributes.reduce_range = 1;
  }

  TestRun Run(const std::string& scheme = "") {
    std::vector<TestTensor*> inputs = {&x, &h0, lstm ? &c0 : nullptr};
    for (TestTensor& weight : weights) inputs.push_back(&weight);
    std::vector<TestTensor*> outputs = {&y, &hn};
    if (lstm) outputs.push_back(&cn);
    return RunOperator(lstm ? QC_LSTM : QC_GRU, attributes, inputs, outputs, scheme);
  }
};

// torch's float32 exp and tanh differ from ours in the last bits.
void ExpectNear(const TestTensor& got, const Reals& want) {
  const Reals values = got.real();
  ASSERT_EQ(values.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(values[i], want[i], 3e-7) << i;
}

// torch.ao.nn.quantized.dynamic.LSTM
TEST(Recurrent, DynamicLstm) {
  Layers layers(true);
  ASSERT_EQ(layers.Run().reason, "");
  ExpectNear(layers.y, {0.150615394f,  -0.041329585f,  -0.163615569f,  0.163719445f,
                        0.0478177108f, -0.0124486722f, -0.204029709f,  0.145327061f,
                        0.189036787f,  -0.063221924f,  0.0377122462f,  0.0195250046f,
                        0.1973764f,    -0.0946846902f, -0.0866387635f, 0.0206059366f,
                        0.166277394f,  -0.0886464417f, -0.0355233029f, 0.0591766275f,
                        0.312383682f,  -0.0811425149f, -0.15511249f,   0.0392199792f});
  ExpectNear(layers.hn, {-0.0263423044f, 0.0653243288f, 0.0688295886f, 0.110598072f,
                         0.0434111767f, -0.299385279f, 0.0303517673f, -0.234563097f,
                         0.166277394f, -0.0886464417f, 0.312383682f, -0.0811425149f,
                         -0.163615569f, 0.163719445f, -0.204029709f, 0.145327061f});
  ExpectNear(layers.cn, {-0.0866340473f, 0.0838268548f, 0.311580509f, 0.228062555f,
                         0.104523532f, -0.456698f, 0.0785951167f, -0.349428684f,
                         0.321960568f, -0.249753207f, 0.521757662f, -0.21817781f,
                         -0.384839296f, 0.296770304f, -0.506655574f, 0.249966159f});
}

// torch.ao.nn.quantized.dynamic.GRU
TEST(Recurrent, DynamicGru) {
  Layers layers(false);
  ASSERT_EQ(layers.Run().reason, "");
  ExpectNear(layers.y, {0.104721241f,  0.0541127175f,  -0.46284467f,   0.175442159f,
                        0.0818210095f, 0.073381871f,   -0.581668019f,  0.130751014f,
                        0.553022981f,  0.0229661744f,  -0.0429530144f, -0.155468524f,
                        0.530437112f,  -0.0303077921f, -0.158291459f,  -0.156158149f,
                        0.510121942f,  -0.120213091f,  -0.207640424f,  0.090989247f,
                        0.707966805f,  -0.0929731876f, -0.309133291f,  0.0679603666f});
  ExpectNear(layers.hn, {0.0333420932f, 0.0625926256f, 0.445775777f, 0.255953699f,
                         0.108442754f, -0.462891877f, 0.0726733506f, -0.348088562f,
                         0.510121942f, -0.120213091f, 0.707966805f, -0.0929731876f,
                         -0.46284467f, 0.175442159f, -0.581668019f, 0.130751014f});
}

// torch.nn.GRU and LSTM with the dequantized weights.
TEST(Recurrent, WithoutDynamicWeightsAreDequantized) {
  Layers gru(false);
  gru.attributes.dynamic = 0;
  ASSERT_EQ(gru.Run(kRealSchemeName).reason, "");
  ExpectNear(gru.hn, {0.0330934525f, 0.0619922876f, 0.446938396f, 0.258719206f,
                      0.111492962f, -0.460732341f, 0.0734131038f, -0.347587824f,
                      0.505249858f, -0.119352669f, 0.712369502f, -0.0965401083f,
                      -0.463504702f, 0.174250185f, -0.580201685f, 0.131306827f});
  Layers lstm(true);
  lstm.attributes.dynamic = 0;
  ASSERT_EQ(lstm.Run().reason, "");
  ExpectNear(lstm.cn, {-0.0895397738f, 0.0845876336f, 0.312021285f, 0.229364991f,
                       0.10766267f, -0.456481457f, 0.0790397227f, -0.348414272f,
                       0.325241327f, -0.249287605f, 0.522977412f, -0.215320051f,
                       -0.383284509f, 0.295773178f, -0.508717597f, 0.249916703f});
}

// The same sequence with the samples first.
TEST(Recurrent, BatchFirst) {
  Layers layers(true);
  ASSERT_EQ(layers.Run().status, QC_OK);
  const Reals want = layers.y.real();
  Layers turned(true);
  turned.attributes.batch_first = 1;
  turned.x = TestTensor(QC_F32, {2, 3, 3}, {1, 0, 2});
  std::memcpy(turned.x.get().data, layers.x.get().data, 18 * sizeof(float));
  turned.y = TestTensor(QC_F32, {2, 3, 4}, {1, 0, 2});
  ASSERT_EQ(turned.Run().reason, "");
  Reals got(24);
  std::memcpy(got.data(), turned.y.get().data, 24 * sizeof(float));
  EXPECT_EQ(got, want);
  EXPECT_EQ(turned.hn.real(), layers.hn.real());
}

TEST(Recurrent, TakesNoStepsAndRefusesWhatDoesNotFit) {
  Layers layers(true);
  layers.x = TestTensor(QC_F32, {0, 2, 3});
  layers.y = TestTensor(QC_F32, {0, 2, 4});
  ASSERT_EQ(layers.Run().status, QC_OK);
  EXPECT_EQ(layers.hn.real(), layers.h0.real());
  layers.hn = TestTensor(QC_F32, {4, 2, 3});
  EXPECT_EQ(layers.Run().reason, "a last state has another shape than h0");
  Layers missing(false);
  for (int i = 0; i < 4; ++i) missing.weights.pop_back();
  EXPECT_EQ(missing.Run().reason, "a weight is missing");
  Layers wide(true);
  wide.weights[0] = Weight({8, 4}, 1);
  EXPECT_EQ(wide.Run().reason, "the features of input, weight and output do not fit");
  Layers unknown(true);
  EXPECT_EQ(unknown.Run("copy").reason, "no definition under the scheme copy");
}

}  // namespace
}  // namespace qconform
