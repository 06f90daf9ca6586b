// Operators whose result is float: linear and recurrent layers that quantize at run time,
// lookups in tables. The program is held against what torch's engine fbgemm gave.
#include <gtest/gtest.h>

#include "reference/lower/float_results.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"
#include "reference/lower/test_record.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

class FloatOperatorTest : public testing::TestWithParam<Expectation> {};

TEST_P(FloatOperatorTest, GivesWhatTorchsEngineGave) {
  const Record record(GetParam().record);
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_EQ(Outline(program), GetParam().outline);
  const std::vector<Tensor> outputs = RunProgram(program, record.inputs);
  const Tensor want = TensorFromJson(
      record.file.root().at("lowered").at("fbgemm").at("output"), record.file);
  ASSERT_EQ(outputs.at(0).shape(), want.shape());
  for (int64_t i = 0; i < want.numel(); ++i) {
    EXPECT_NEAR(outputs[0].ValueAt(i), want.ValueAt(i), 1e-6) << i;
  }
}

TEST_P(FloatOperatorTest, TextRoundTrip) {
  const Record record(GetParam().record);
  ExpectTextRoundTrip(Lower(record.reference, record.inputs), record.inputs);
}

// The reference graph leaves hidden states in float; quantizing them costs little.
TEST_P(FloatOperatorTest, FloatResultsLieNear) {
  const Record record(GetParam().record);
  const Program program = Lower(record.reference, record.inputs);
  const std::vector<Tensor> values = RunProgramValues(program, record.inputs);
  const OrderedMap<Tensor> results =
      FloatResults(record.reference, program, record.inputs, values);
  int compared = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const Tensor* result = results.Find(program.values[i].name);
    if (result == nullptr) continue;
    ++compared;
    ASSERT_EQ(result->shape(), values[i].shape());
    for (int64_t j = 0; j < result->numel(); ++j) {
      EXPECT_NEAR(result->ValueAt(j), values[i].ValueAt(j), 0.02)
          << program.values[i].name << " at " << j;
    }
  }
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Oracle, FloatOperatorTest,
    testing::Values(Expectation{"fx/linear_dynamic", "linear linear"},
                    Expectation{"fx/linear_dynamic_pc", "linear"},
                    Expectation{"own/fx/table_then_dynamic", "embedding [sum_1] linear"},
                    Expectation{"fx/embedding_wo", "embedding"},
                    Expectation{"fx/embeddingbag_wo", "embedding_bag"},
                    Expectation{"fx/lstm_dynamic", "lstm"},
                    Expectation{"own/fx/dynamic_gru", "gru"}),
    RecordName);

TEST(FloatOperator, NamesTheNodesThatItStandsFor) {
  const Record record("fx/linear_dynamic");
  const Program program = Lower(record.reference, record.inputs);
  const auto& linear = std::get<ProgramOperator>(program.steps.at(0));
  EXPECT_EQ(linear.node, "l");
  EXPECT_EQ(linear.nodes,
            (std::vector<std::string>{"quantize_per_tensor_dynamic", "dequantize", "l"}));
  EXPECT_EQ(linear.scheme, kFloatBiasSchemeName);
  EXPECT_EQ(linear.attributes.activation, QC_ACTIVATION_RELU);
  EXPECT_EQ(linear.attributes.reduce_range, 1);
}

// The three results of an LSTM are values; getitem picks among them without a step.
TEST(FloatOperator, LstmHasThreeResults) {
  const Record record("fx/lstm_dynamic");
  const Program program = Lower(record.reference, record.inputs);
  const auto& lstm = std::get<ProgramOperator>(program.steps.at(0));
  ASSERT_EQ(lstm.outputs.size(), 3u);
  EXPECT_EQ(program.outputs, (std::vector<int>{lstm.outputs[0]}));
  EXPECT_EQ(program.values[static_cast<size_t>(lstm.outputs[2])].name, "m.2");
}

// Input codes of s8 have no operator of the ABI.
TEST(FloatOperator, OtherCodesStayAnIsland) {
  const Record record("fx/executorch_dynamic_qint8");
  const Program program = Lower(record.reference, record.inputs);
  ASSERT_EQ(program.steps.size(), 1u);
  EXPECT_NE(std::get<FloatIsland>(program.steps[0])
                .reason.find("quantized at run time to others than quint8"),
            std::string::npos);
  EXPECT_TRUE(BitEqual(RunProgram(program, record.inputs).at(0),
                       RunGraph(record.reference, record.inputs).at(0)));
}

// A sequence with a sequence inside crosses the border of an island.
TEST(FloatOperator, NestedResultsOfAnIsland) {
  const Record record("fx/lstm_static_skipped");
  const Program program = Lower(record.reference, record.inputs);
  EXPECT_TRUE(BitEqual(RunProgram(program, record.inputs).at(0),
                       RunGraph(record.reference, record.inputs).at(0)));
}

}  // namespace
}  // namespace qconform
