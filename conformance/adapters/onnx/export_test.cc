// Every row of every suite up to tier ci as an ONNX model, in every form: onnx's own
// checker takes it, with strict inference of types and shapes; it reads back as it was;
// and an evaluator that follows ONNX's specification computes what the reference expects.
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include <map>
#include <set>
#include <string>

#include "conformance/adapters/onnx/onnx_evaluator.h"
#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/compare/bound.h"
#include "conformance/compare/exact.h"
#include "conformance/host/exec_target.h"
#include "reference/lower/run_program.h"
#include "reference/onnx/export_program.h"

namespace qconform {
namespace {

namespace fs = std::filesystem;

std::string CheckerSays(const std::string& bytes) {
  onnx::ModelProto proto;
  if (!proto.ParseFromString(bytes)) return "no ModelProto";
  try {
    onnx::checker::check_model(proto);
    onnx::ShapeInferenceOptions strict;
    strict.check_type = true;
    strict.error_mode = 1;
    strict.enable_data_propagation = true;
    onnx::shape_inference::InferShapes(proto, onnx::OpSchemaRegistry::Instance(), strict);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

std::vector<SuiteRow> RowsOf(const std::string& suite) {
  std::vector<SuiteRow> rows =
      ReadSuite(fs::path(QCONFORM_SOURCE_DIR) / "datasets/suites" / (suite + ".csv"));
  std::erase_if(rows, [](const SuiteRow& row) { return !Contains(Tier::kCi, row.tier); });
  return rows;
}

class OnnxExportTest : public testing::TestWithParam<const char*> {
 protected:
  OnnxForm form() const { return *ParseOnnxForm(GetParam()); }

  void Add(const SuiteRow& row) {
    const ConformanceCase c = BuildCase(row);
    OnnxExport exported;
    try {
      exported = ExportCall(c.call, form());
    } catch (const OnnxRefusal& refusal) {
      ++refused_[refusal.reason()];
      return;
    }
    const std::string bytes = OnnxModelBytes(exported.model);
    EXPECT_EQ(CheckerSays(bytes), "") << c.id;
    const OnnxModel model = ParseOnnxModel(bytes, c.id);
    EXPECT_EQ(model.nodes, exported.model.nodes) << c.id;
    const std::vector<Tensor> outputs = EvaluateOnnx(model, ExecInputs(c.call));
    std::vector<Bytes> got;
    for (const Tensor& output : outputs)
      got.emplace_back(output.bytes(), output.bytes() + output.byte_size());
    const auto other = exported.schemes.begin();
    const auto want = ReferenceOutputs(
        c.call, other == exported.schemes.end() ? c.call.scheme : other->second);
    ASSERT_TRUE(want && got.size() == want->size()) << c.id;
    const Difference difference = CompareExactly(c.call.outputs, got, *want);
    if (HoldsScheme(model)) {
      EXPECT_TRUE(difference.equal()) << c.id << ": " << difference.wrong << " elements";
      ++exact_;
    } else {
      std::string objection;
      const auto bound = CompareWithinBound(c.call, got, *want, objection);
      ASSERT_TRUE(bound) << c.id << ": " << objection;
      EXPECT_TRUE(bound->holds()) << c.id << ": " << bound->first;
      ++bounded_;
    }
  }

  int64_t exact_ = 0;    // models whose scheme is spelled out
  int64_t bounded_ = 0;  // the others
  std::map<std::string, int64_t> refused_;
};

TEST_P(OnnxExportTest, EveryRowOfEverySuite) {
  for (const std::string& suite :
       SuiteNames(fs::path(QCONFORM_SOURCE_DIR) / "datasets/suites"))
    for (const SuiteRow& row : RowsOf(suite)) Add(row);
  // Accumulators are exact in every form.
  EXPECT_GT(exact_, form() == OnnxForm::kQdq ? 0 : 100);
  EXPECT_GT(bounded_, 1000);
  // Whatever else is refused has no operator in opset 17, or no meaning in ONNX.
  const std::set<std::string> known = {
      "ONNX does not define the code of NaN",
      "Pad of opset 17 has no circular padding",
      "a group without elements",
      "codes of int8",
      "its bags begin at offsets, for which there is no operator",
      "its padding index leaves rows out, for which there is no operator",
      "no model can ask for the scheme q31/one/up/bias_s32/zp_after",
      "no model can ask for the scheme q31/two/up/bias_s32/zp_after",
      "quantizes nothing at run time, whose least element ONNX has not",
      "standard ONNX has no such quantized operator",
      "sums that leave 32 bits, which ONNX lets no one expect"};
  for (const auto& [reason, count] : refused_)
    EXPECT_TRUE(known.contains(reason)) << reason << ", " << count << " rows";
}

// What stays float in a transformer: LayerNorm of the last two dimensions, then GELU.
TEST(OnnxIslandTest, LayerNormAndGelu) {
  Program program;
  program.values.resize(2);
  for (const size_t i : {0u, 1u}) {
    program.values[i].name = i == 0 ? "x" : "y";
    program.values[i].shape = {2, 3, 4};
  }
  FloatIsland island;
  auto norm = std::make_shared<Module>();
  norm->type = "torch.nn.LayerNorm";
  norm->attributes.Set("normalized_shape", Argument(Sequence{{3, 4}, true}));
  norm->attributes.Set("eps", Argument(0.25));
  Tensor weight(DType::kFloat32, {3, 4});
  Tensor bias(DType::kFloat32, {3, 4});
  for (int i = 0; i < 12; ++i) {
    weight.data<float>()[i] = 0.5f + 0.125f * static_cast<float>(i);
    bias.data<float>()[i] = 0.25f * static_cast<float>(i - 6);
  }
  norm->parameters.Set("weight", weight);
  norm->parameters.Set("bias", bias);
  auto gelu = std::make_shared<Module>();
  gelu->type = "torch.nn.GELU";
  gelu->attributes.Set("approximate", Argument("none"));
  island.part.SetModule("norm", norm);
  island.part.SetModule("gelu", gelu);
  Graph& graph = island.part.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* normed = graph.Append(Op::kCallModule, "norm", {x});
  Node* y = graph.Append(Op::kCallModule, "gelu", {normed});
  graph.Append(Op::kOutput, "output", {Argument(Sequence{{Argument(y)}, true})});
  island.inputs = {0};
  island.outputs = {1};
  island.nodes = {"norm", "gelu"};
  program.inputs = {0};
  program.outputs = {1};
  program.steps.emplace_back(std::move(island));

  const OnnxExport exported = ExportProgram(program, "island", OnnxForm::kQdq);
  EXPECT_EQ(CheckerSays(OnnxModelBytes(exported.model)), "");
  Tensor input(DType::kFloat32, {2, 3, 4});
  for (int i = 0; i < 24; ++i)
    input.data<float>()[i] = static_cast<float>(i * 7 % 11) - 5.0f;
  const Tensor want = RunProgram(program, {input}).at(0);
  const Tensor got = EvaluateOnnx(exported.model, {input}).at(0);
  ASSERT_EQ(got.shape(), want.shape());
  // Both round a handful of float32 operations, on values below 8.
  for (int i = 0; i < 24; ++i)
    EXPECT_NEAR(got.data<float>()[i], want.data<float>()[i], 32 * 8 * 6e-8) << i;
}

INSTANTIATE_TEST_SUITE_P(Forms, OnnxExportTest,
                         testing::Values("qdq", "operator", "integer"));

}  // namespace
}  // namespace qconform
