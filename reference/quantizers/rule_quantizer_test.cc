#include "reference/quantizers/rule_quantizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/quantizers/quantizer_json.h"
#include "reference/quantizers/recorded_program.h"

namespace qconform {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSpecs = R"("specs": {
  "act": {"dtype": "torch.int8", "quant_min": -128, "quant_max": 127,
          "qscheme": "torch.per_tensor_affine",
          "observer": {"class": "HistogramObserver", "kwargs": {}}},
  "weight": {"dtype": "int8", "quant_min": -127, "quant_max": 127,
             "qscheme": "per_channel_symmetric", "ch_axis": 0,
             "observer": {"class": "PerChannelMinMaxObserver", "kwargs": {}}}})";

std::string Rules(const std::string& rules, const std::string& more = "") {
  return std::string(R"({"quantizer": "rules", "name": "npu", )") + kSpecs + more +
         R"(, "rules": [)" + rules + "]}";
}

std::shared_ptr<AccountingQuantizer> Read(const std::string& text) {
  static std::vector<std::unique_ptr<JsonFile>> files;
  files.push_back(std::make_unique<JsonFile>(JsonFile::Parse(text, "rules.json")));
  return QuantizerFromJson(files.back()->root(), *files.back(), Mode::kTorch);
}

std::string Refusal(const std::string& text) {
  try {
    Read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

ExportedProgram Program(const std::string& model) {
  for (const auto& [name, json] : TheRecordedCases().programs) {
    if (name.starts_with(model + ".")) return ProgramOfRecord(json);
  }
  throw InputError("test", "no program of " + model);
}

TEST(RuleQuantizer, AnnotatesWithDerivedAndSharedSpecs) {
  const auto quantizer = Read(Rules(R"(
      {"pattern": "conv_relu", "module_name": "block",
       "edges": [{"from": "input", "to": "conv", "spec": "act"},
                 {"from": "weight", "spec": "weight"},
                 {"from": "bias", "to": "conv", "spec":
                   {"kind": "derived", "from": [["input", "conv"], ["weight", "conv"]],
                    "function": "scale_product", "dtype": "torch.int32",
                    "quant_min": -2147483648, "quant_max": 2147483647,
                    "qscheme": "torch.per_channel_symmetric", "ch_axis": 0}}],
       "outputs": {"relu": "act"}},
      {"pattern": "adaptive_avg_pool2d",
       "edges": [{"from": "input", "spec": "act"}],
       "outputs": {"output": {"kind": "shared", "with": ["input", "adaptive_avg_pool2d"]}}},
      {"pattern": "linear", "module_name": "head", "float": true},
      {"pattern": "linear", "edges": [{"from": "input", "spec": "act"}]})"));
  const ExportedProgram program = Program("Nested");
  Annotations annotations;
  quantizer->Annotate(program, annotations);

  const QuantizationAnnotation* conv = annotations.Find("conv2d_1");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->rule, "rules[0] conv_relu in 'block'");
  ASSERT_EQ(conv->inputs.size(), 3u);
  const auto* bias = As<DerivedQuantizationSpec>(*conv->inputs.Find("block_conv_bias"));
  ASSERT_NE(bias, nullptr);
  EXPECT_EQ(
      bias->derived_from,
      (std::vector<EdgeOrNode>{{"relu", "conv2d_1"}, {"block_conv_weight", "conv2d_1"}}));
  ASSERT_NE(annotations.Find("relu_1"), nullptr);
  EXPECT_NE(annotations.Find("relu_1")->output, nullptr);
  EXPECT_EQ(annotations.Find("conv2d"), nullptr);
  const QuantizationAnnotation* pool = annotations.Find("adaptive_avg_pool2d");
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(As<SharedQuantizationSpec>(pool->output)->edge_or_node,
            (EdgeOrNode{"relu_1", "adaptive_avg_pool2d"}));
  const QuantizationAnnotation* linear = annotations.Find("linear");
  ASSERT_NE(linear, nullptr);
  EXPECT_TRUE(linear->annotated);
  EXPECT_EQ(linear->inputs.size(), 0u);

  const SettingAccounts accounts = quantizer->Accounts();
  ASSERT_EQ(accounts.size(), 4u);
  EXPECT_EQ(ToLines(accounts[0])[0],
            "rules[0] conv_relu in 'block': reached conv2d_1, relu_1");
  EXPECT_EQ(ToLines(accounts[3])[1],
            "rules[3] linear: linear went to rules[2] linear in 'head'");
}

TEST(RuleQuantizer, PatternOfTheFileHasAGraphForEachTarget) {
  const auto quantizer = Read(Rules(
      R"({"pattern": "tail", "edges": [{"from": "x", "spec": "act"}],
          "outputs": {"act": "act"}})",
      R"(, "patterns": {"tail": [
           {"name": "gemm", "targets": ["aten.linear.default"], "inputs": ["x", "w", "b"]},
           {"name": "act", "targets": ["aten.relu.default", "aten.tanh.default"],
            "inputs": ["gemm"]}]})"));
  for (const char* model : {"LinearReLU", "LinearTanh"}) {
    SCOPED_TRACE(model);
    Annotations annotations;
    quantizer->Annotate(Program(model), annotations);
    EXPECT_EQ(annotations.size(), 2u);
  }
}

TEST(RuleQuantizer, RuleThatReachesNothingSaysWhy) {
  const auto quantizer = Read(Rules(
      R"({"pattern": "sigmoid", "outputs": {"output": "act"}},
         {"pattern": "linear", "module_name": "hed", "outputs": {"output": "act"}})"));
  Annotations annotations;
  quantizer->Annotate(Program("Nested"), annotations);
  EXPECT_EQ(ToLines(quantizer->Accounts()[0])[0],
            "rules[0] sigmoid: reached no node: the pattern sigmoid matches nowhere");
  EXPECT_THAT(ToLines(quantizer->Accounts()[1])[0], HasSubstr("nearest known name head"));
}

TEST(RuleQuantizerJson, MistakesAreOneLineWithThePlace) {
  EXPECT_THAT(Refusal(Rules(R"({"pattern": "conv_rleu", "float": true})")),
              ::testing::AllOf(HasSubstr("rules.json:"), HasSubstr("conv_relu")));
  EXPECT_THAT(Refusal(Rules(R"({"pattern": "linear", "outputs": {"output": "atc"}})")),
              HasSubstr("unknown spec 'atc'"));
  EXPECT_THAT(Refusal(Rules(R"({"pattern": "linear"})")),
              HasSubstr("the rule says nothing"));
  EXPECT_THAT(Refusal(Rules(R"({"pattern": "linear", "outputs": {"input": "act"}})")),
              HasSubstr("comes from outside"));
  EXPECT_THAT(
      Refusal(
          Rules(R"({"pattern": "linear", "edges": [{"from": "inptu", "spec": "act"}]})")),
      HasSubstr("the pattern has no node 'inptu'"));
  EXPECT_THAT(
      Refusal(Rules(R"({"pattern": "twice", "edges": [{"from": "x", "spec": "act"}]})",
                    R"(, "patterns": {"twice": [
                       {"name": "a", "targets": ["aten.relu.default"], "inputs": ["x"]},
                       {"name": "b", "targets": ["aten.add.Tensor"],
                        "inputs": ["a", "x"]}]})")),
      HasSubstr("the edge from 'x' is ambiguous: a and b use it"));
  EXPECT_THAT(Refusal(R"({"quantizer": "rules", "rules": [], "ruels": []})"),
              HasSubstr("ruels"));
  EXPECT_THAT(Refusal(R"({"quantizer": "x86_inductr"})"), HasSubstr("x86_inductor"));
  EXPECT_THAT(Refusal(R"({"quantizer": "x86_inductor", "settings": [
      {"call": "set_globl", "config": {}}]})"),
              HasSubstr("set_global"));
  EXPECT_THAT(Refusal(R"({"quantizer": "xnnpack", "settings": [
      {"call": "set_global", "config": {"reduce_range": true}}]})"),
              HasSubstr("reduce_range"));
  EXPECT_THAT(Refusal(Rules(R"({"pattern": "linear", "outputs": {"output":
      {"dtype": "torch.int8", "quant_min": 3, "quant_max": 2,
       "observer": {"class": "MinMaxObserver"}}}})")),
              HasSubstr("quant_min 3 must be <= quant_max 2"));
}

}  // namespace
}  // namespace qconform
