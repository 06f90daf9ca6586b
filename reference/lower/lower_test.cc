// Programs lowered from torch's own reference graphs, run by the scalar definitions and
// held against the codes that torch recorded.
#include "reference/lower/lower.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/lower/float_results.h"
#include "reference/lower/run_program.h"
#include "reference/lower/test_record.h"
#include "reference/numerics/quantize.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

class RecordTest : public testing::TestWithParam<Expectation> {};

TEST_P(RecordTest, GivesTorchsCodes) {
  const Record record(std::string("fx/") + GetParam().record);
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_EQ(Outline(program), GetParam().outline);

  const std::vector<Tensor> values = RunProgramValues(program, record.inputs);
  const ordered_json& expected =
      record.file.root().at("reference").at("quantize_outputs");
  int compared = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto found = expected.find(program.values[i].name);
    if (found == expected.end() || program.values[i].constant) continue;
    const Tensor codes = TensorFromJson(*found, record.file);
    ASSERT_EQ(codes.shape(), values[i].shape()) << program.values[i].name;
    ASSERT_EQ(codes.quantization(), values[i].quantization()) << program.values[i].name;
    for (int64_t j = 0; j < codes.numel(); ++j) {
      ASSERT_EQ(values[i].IntegerAt(j), codes.IntegerAt(j))
          << program.values[i].name << " at " << j;
    }
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

TEST_P(RecordTest, TextRoundTrip) {
  const Record record(std::string("fx/") + GetParam().record);
  ExpectTextRoundTrip(Lower(record.reference, record.inputs), record.inputs);
}

// Quantizing the operator's float result, on the same inputs, gives its codes: exactly
// where the scheme is real, within one code where the accumulator is rescaled.
TEST_P(RecordTest, FloatResultsLieAtTheCodes) {
  const Record record(std::string("fx/") + GetParam().record);
  const Program program = Lower(record.reference, record.inputs);
  const std::vector<Tensor> values = RunProgramValues(program, record.inputs);
  const OrderedMap<Tensor> results =
      FloatResults(record.reference, program, record.inputs, values);
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor* result = results.Find(program.values[i].name);
    if (result == nullptr) continue;
    const QuantizationParameters& qparams = *values[i].quantization();
    const Tensor codes =
        QuantizePerTensor(*result, qparams.scale[0],
                          static_cast<int64_t>(qparams.zero_point[0]), DType::kQUInt8);
    for (int64_t j = 0; j < codes.numel(); ++j) {
      ASSERT_NEAR(static_cast<double>(codes.IntegerAt(j)),
                  static_cast<double>(values[i].IntegerAt(j)), 1)
          << program.values[i].name << " at " << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Oracle, RecordTest,
    testing::Values(
        Expectation{"adaptive_flatten_linear",
                    "quantize conv adaptive_avg_pool reshape linear dequantize"},
        Expectation{"avgpool", "quantize conv avg_pool dequantize"},
        Expectation{"cat_inputs", "quantize quantize concat dequantize"},
        Expectation{"chunk_getitem",
                    "quantize linear dequantize [chunk getitem] quantize [getitem_1] "
                    "quantize add dequantize"},
        Expectation{"conv1d_bn_relu", "quantize conv dequantize"},
        Expectation{"conv_samepad", "quantize conv dequantize"},
        Expectation{"convtr2d_bn_relu", "quantize conv_transpose batch_norm dequantize"},
        Expectation{"depthwise_bn_relu", "quantize conv dequantize"},
        Expectation{"fconv2d_relu", "quantize conv dequantize"},
        Expectation{"flinear", "quantize linear dequantize"},
        Expectation{"flayernorm_default", "quantize linear layer_norm dequantize"},
        Expectation{"instancenorm", "quantize conv instance_norm dequantize"},
        Expectation{"layernorm_default", "quantize linear layer_norm dequantize"},
        Expectation{"mean_dims", "quantize conv mean dequantize"},
        Expectation{"mul_broadcast", "quantize adaptive_avg_pool sigmoid mul dequantize"},
        Expectation{"prelu", "quantize conv prelu dequantize"},
        Expectation{"relu6_hardtanh_clamp", "quantize relu6 clamp clamp dequantize"},
        Expectation{"../own/fx/shuffle_and_resize",
                    "quantize conv pixel_shuffle upsample dequantize"},
        Expectation{"../own/fx/functional_norms",
                    "quantize group_norm layer_norm instance_norm dequantize"},
        Expectation{"reshape_view", "quantize conv reshape linear dequantize"},
        Expectation{"residual_add_relu", "quantize conv add dequantize"},
        Expectation{"softmax_default", "quantize linear softmax dequantize"},
        Expectation{"squeeze_unsqueeze", "quantize linear reshape reshape dequantize"}),
    RecordName);

TEST(Lower, FusesReluAndKeepsTheOperatorsNodes) {
  const Record record("fx/residual_add_relu");
  const Program program = Lower(record.reference, record.inputs);
  const auto& add = std::get<ProgramOperator>(program.steps.at(2));
  EXPECT_EQ(add.kind, QC_ADD);
  EXPECT_EQ(add.attributes.activation, QC_ACTIVATION_RELU);
  EXPECT_EQ(add.node, "add");
  EXPECT_EQ(add.nodes, (std::vector<std::string>{"add", "relu"}));
}

TEST(Lower, SchemesFollowTheConfig) {
  const Record record("fx/reshape_view");
  LowerOptions options;
  options.config = "qnnpack";
  options.patterns["c"] = "torch.nn.Conv2d";
  const Program program = Lower(record.reference, record.inputs, options);
  const auto scheme = [&](size_t step) {
    return std::get<ProgramOperator>(program.steps.at(step)).scheme;
  };
  EXPECT_EQ(scheme(0), kRealSchemeName);
  EXPECT_EQ(scheme(1), kRoundedBiasSchemeName);
  EXPECT_EQ(scheme(2), kCopySchemeName);
  EXPECT_EQ(std::get<ProgramOperator>(program.steps[1]).pattern, "torch.nn.Conv2d");
  EXPECT_EQ(AccumulatingScheme("fbgemm"), kFloatBiasSchemeName);
}

TEST(Lower, ReasonsOfIslandsAreInWords) {
  const Record record("fx/chunk_getitem");
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_EQ(std::get<FloatIsland>(program.steps.at(5)).reason,
            "getitem_1: operator.getitem has no integer operator");
  const LoweringSummary summary = Summarize(program);
  EXPECT_EQ(summary.operators, 2);
  EXPECT_EQ(summary.conversions, 5);
  EXPECT_EQ(summary.islands, 2);
  EXPECT_EQ(summary.island_nodes, 3);
}

TEST(Lower, IntegersFromShapesBecomeConstants) {
  const Record record("fx/add_two_scalars");
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_EQ(Outline(program), "[reshape]");
  EXPECT_TRUE(BitEqual(RunProgram(program, record.inputs).at(0),
                       RunGraph(record.reference, record.inputs).at(0)));
}

TEST(Lower, WrongInputsAreRefused) {
  const Record record("fx/flinear");
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_THROW(RunProgram(program, {}), InputError);
  EXPECT_THROW(RunProgram(program, {Tensor(DType::kFloat32, {1})}), InputError);
}

}  // namespace
}  // namespace qconform
