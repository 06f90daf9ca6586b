// Every row of every suite as an ONNX model, in every form: onnx's own checker takes it,
// with strict inference of types and shapes; it reads back as it was; and an evaluator
// that follows ONNX's specification computes what the reference expects.
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/shape_inference/implementation.h>

#include <map>
#include <string>

#include "conformance/adapters/onnx/onnx_evaluator.h"
#include "conformance/cases/build_call.h"
#include "conformance/cases/suite_cases.h"
#include "conformance/cases/suite_csv.h"
#include "conformance/compare/bound.h"
#include "conformance/compare/exact.h"
#include "conformance/host/exec_target.h"

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
  for (const auto& [reason, count] : refused_)
    std::printf("refused %3ld: %s\n", count, reason.c_str());
  std::printf("exact %ld bounded %ld\n", exact_, bounded_);
  EXPECT_GT(bounded_, 100);
  EXPECT_EQ(exact_ > 0, form() != OnnxForm::kQdq);
}

INSTANTIATE_TEST_SUITE_P(Forms, OnnxExportTest,
                         testing::Values("qdq", "operator", "integer"));

}  // namespace
}  // namespace qconform
