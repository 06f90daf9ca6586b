#include "conformance/cases/declared_row.h"

#include <gtest/gtest.h>

#include "conformance/cases/build_call.h"
#include "reference/backends/backends.h"

namespace qconform {
namespace {

std::string RowOf(const std::string& config, const std::string& id) {
  return DeclaredRow(BuiltInBackendConfig(config), BuildCall(RowFromId(id)));
}

TEST(DeclaredRow, FindsTheOperatorOfARow) {
  EXPECT_EQ(RowOf("x86", "t/linear.u8s8u8.per_channel.bias_f32/m1.k4.n4.zx3.zy5/uniform"),
            "torch.nn.Linear");
  EXPECT_NE(RowOf("x86",
                  "t/conv2d.u8s8u8.per_channel.bias_f32.relu/"
                  "n1.c4.i3x3.o4.k1x1.zx3.zy5/uniform")
                .find("ReLU"),
            std::string::npos);
}

TEST(DeclaredRow, MindsDTypes) {
  const std::string signed_linear =
      "t/linear.s8s8s8.per_channel.bias_f32/m1.k4.n4.zx3.zy5/uniform";
  EXPECT_EQ(RowOf("x86", signed_linear), "");
  const std::string float_output =
      "t/linear.u8s8f32.per_channel.bias_f32/m1.k4.n4.zx3/uniform";
  EXPECT_EQ(RowOf("x86", float_output), "");
  const std::string integer_bias =
      "t/linear.u8s8u8.per_channel.bias_s32/m1.k4.n4.zx3.zy5/uniform";
  EXPECT_EQ(RowOf("x86", integer_bias), "");
}

// qnnpack's signed configs bound the weights to -127..127 and the scales from below.
TEST(DeclaredRow, MindsConstraints) {
  OperatorCall call = BuildCall(
      RowFromId("t/linear.s8s8s8.per_channel.bias_f32/m1.k4.n4.zx0.zy0/uniform"));
  const BackendConfig& qnnpack = BuiltInBackendConfig("qnnpack");
  call.inputs[1]->quant_min = -127;
  call.inputs[1]->quant_max = 127;
  EXPECT_NE(DeclaredRow(qnnpack, call), "");
  call.inputs[1]->quant_min = -128;
  EXPECT_EQ(DeclaredRow(qnnpack, call), "");
  call.inputs[1]->quant_min = -127;
  call.inputs[0]->scale = {0x1p-13f};
  EXPECT_EQ(DeclaredRow(qnnpack, call), "");
}

CallTensor Plain(qc_dtype dtype, Shape shape) {
  CallTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  return tensor;
}

CallTensor ConstantCodes(qc_dtype dtype, Shape shape) {
  CallTensor tensor = Plain(dtype, std::move(shape));
  tensor.scale = {0.5f};
  tensor.constant = true;
  return tensor;
}

// x is float32 where it is quantized at run time, and integers where rows are looked up.
TEST(DeclaredRow, KnowsDynamicOperatorsAndLookups) {
  OperatorCall call;
  call.attributes = EmptyAttributes();
  call.kind = QC_LINEAR;
  call.inputs = {Plain(QC_F32, {1, 4}), ConstantCodes(QC_S8, {2, 4})};
  call.outputs = {Plain(QC_F32, {1, 2})};
  const BackendConfig& x86 = BuiltInBackendConfig("x86");
  EXPECT_EQ(DeclaredRow(x86, call), "");
  call.attributes.dynamic = 1;
  EXPECT_EQ(DeclaredRow(x86, call), "torch.nn.Linear");
  call.inputs[1]->dtype = QC_U8;
  EXPECT_EQ(DeclaredRow(x86, call), "");
  OperatorCall lookup;
  lookup.attributes = EmptyAttributes();
  lookup.kind = QC_EMBEDDING;
  lookup.inputs = {Plain(QC_S64, {3}), ConstantCodes(QC_U8, {5, 2})};
  lookup.outputs = {Plain(QC_F32, {3, 2})};
  EXPECT_EQ(DeclaredRow(x86, lookup), "torch.nn.Embedding");
  lookup.inputs[1]->dtype = QC_S8;
  EXPECT_EQ(DeclaredRow(x86, lookup), "");
}

std::string OperatorOfRow(const std::string& config, const std::string& row) {
  for (const BackendConfig::Entry& entry : BuiltInBackendConfig(config).entries())
    if (PatternOf(entry).HumanText() == row) return OperatorOfPattern(PatternOf(entry));
  return "no such row";
}

TEST(DeclaredRow, KnowsWhatPatternsFuse) {
  EXPECT_EQ(OperatorOfRow("onednn", "torch.ao.nn.intrinsic.ConvAddReLU2d"),
            "conv2d.relu.residual");
  EXPECT_EQ(OperatorOfRow("onednn",
                          "(torch.nn.ReLU, (torch.add, MatchAllNode, "
                          "(torch.nn.BatchNorm2d, torch.nn.Conv2d)))"),
            "conv2d.relu.residual");
  EXPECT_EQ(OperatorOfRow("onednn",
                          "(torch.nn.Linear, torch.nn.BatchNorm1d, torch.nn.LeakyReLU)"),
            "linear.leaky_relu");
  EXPECT_EQ(OperatorOfRow("onednn", "torch.ao.nn.intrinsic.LinearTanh"), "linear.tanh");
  EXPECT_EQ(OperatorOfRow("xnnpack", "(aten.convolution.default, aten.relu_.default)"),
            "conv.relu");
  EXPECT_EQ(OperatorOfRow("xnnpack",
                          "(operator.getitem, aten.max_pool2d_with_indices.default, 0)"),
            "max_pool2d");
  EXPECT_EQ(OperatorOfRow("executorch", "(torch.sub, torch.relu)"), "sub.relu");
  EXPECT_EQ(OperatorOfRow("x86", "torch.nn.LSTMCell"), "");
}

TEST(DeclaredRow, EveryConvolutionAndLinearRowHasAnOperator) {
  for (const char* name : {"x86", "qnnpack", "native", "onednn"}) {
    for (const std::string& row : RowsWithoutOperator(BuiltInBackendConfig(name))) {
      EXPECT_EQ(row.find("Conv"), std::string::npos) << row;
      EXPECT_EQ(row.find("Linear"), std::string::npos) << row;
    }
  }
}

}  // namespace
}  // namespace qconform
