// Every trap in both modes, on recorded programs, and the account of every setting.
#include "reference/quantizers/quantizer_modes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/quantizers/quantizer_json.h"
#include "reference/quantizers/recorded_program.h"

namespace qconform {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The first recorded program of a model, exported strictly or not.
const ordered_json& RecordOf(const std::string& model, bool strict) {
  for (const auto& [name, json] : TheRecordedCases().programs) {
    if (name.starts_with(model + ".") && json["strict"].get<bool>() == strict) {
      return json;
    }
  }
  throw InputError("test", "no program of " + model);
}

// What one mode made of a program.
struct Made {
  std::shared_ptr<AccountingQuantizer> quantizer;
  ExportedProgram program;
  Annotations annotations;

  bool IsQuantized(const std::string& node) const {
    const QuantizationAnnotation* found = annotations.Find(node);
    if (found == nullptr) return false;
    for (const auto& [producer, spec] : found->inputs) {
      if (spec != nullptr) return true;
    }
    return found->output != nullptr;
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const SettingAccount& account : quantizer->Accounts()) {
      for (std::string& line : ToLines(account)) lines.push_back(std::move(line));
    }
    return lines;
  }
};

Made Make(const std::string& model, const std::string& settings, Mode mode,
          bool strict_export = false) {
  Made made;
  const ordered_json json = ordered_json::parse(settings);
  made.program = ProgramOfRecord(RecordOf(model, strict_export));
  made.quantizer = QuantizerFromJson(json, "test", mode);
  made.quantizer->TransformForAnnotation(made.program);
  made.quantizer->Annotate(made.program, made.annotations);
  return made;
}

std::string KindOfRefusal(const std::string& model, const std::string& settings,
                          Mode mode) {
  try {
    Make(model, settings, mode);
  } catch (const PipelineError& error) {
    return error.kind();
  }
  return "";
}

ModeDifferences Differences(const std::string& model, const std::string& settings) {
  const ordered_json json = ordered_json::parse(settings);
  return CompareQuantizerModes(ProgramOfRecord(RecordOf(model, false)), [&](Mode mode) {
    return QuantizerFromJson(json, "test", mode);
  });
}

constexpr const char* kX86 =
    R"({"quantizer": "x86_inductor", "settings": [{"call": "set_global", "config": {}}]})";
constexpr const char* kXnnpack =
    R"({"quantizer": "xnnpack", "settings": [{"call": "set_global", "config": {}}]})";
constexpr const char* kXnnpackStem =
    R"({"quantizer": "xnnpack", "settings": [
        {"call": "set_module_name", "name": "stem", "config": {}},
        {"call": "set_global", "config": {}}]})";

TEST(X86InductorModes, FunctionsAreFoundInStrictModeWhateverTheExport) {
  const Made torch = Make("FunctionalLinearRelu", kX86, Mode::kTorch);
  EXPECT_FALSE(torch.IsQuantized("linear"));
  EXPECT_THAT(torch.Lines(),
              Contains(HasSubstr("set_global: not linear: not found as a layer: its "
                                 "innermost module is of class")));
  EXPECT_TRUE(
      Make("FunctionalLinearRelu", kX86, Mode::kTorch, true).IsQuantized("linear"));
  EXPECT_TRUE(Make("FunctionalLinearRelu", kX86, Mode::kStrict).IsQuantized("linear"));
}

TEST(X86InductorModes, OneDimensionalConvolutionAlone) {
  const Made torch = Make("Conv1d", kX86, Mode::kTorch);
  EXPECT_FALSE(torch.IsQuantized("conv1d"));
  EXPECT_THAT(torch.Lines(), Contains(HasSubstr("nn.Conv1d with nn.ReLU")));
  const Made strict = Make("Conv1d", kX86, Mode::kStrict);
  EXPECT_TRUE(strict.IsQuantized("conv1d"));
  EXPECT_THAT(strict.Lines(), ElementsAre("set_global: reached conv1d"));
}

TEST(X86InductorModes, ClassOfConv1dHasAnOperatorInStrictMode) {
  const char* settings = R"({"quantizer": "x86_inductor", "settings": [
      {"call": "set_module_type_qconfig", "type": "torch.nn.Conv1d", "config": {}}]})";
  const Made torch = Make("Conv1dRelu", settings, Mode::kTorch);
  EXPECT_THAT(torch.quantizer->Warnings(),
              ElementsAre("Module: Unable to customize quantization config for <class "
                          "'torch.nn.modules.conv.Conv1d'> by X86InductorQuantizer."));
  EXPECT_THAT(torch.Lines(),
              ElementsAre("set_module_type_qconfig(torch.nn.Conv1d): reached no node: "
                          "X86InductorQuantizer has no operator for torch.nn.Conv1d"));
  EXPECT_TRUE(Make("Conv1dRelu", settings, Mode::kStrict).IsQuantized("conv1d"));
}

TEST(X86InductorModes, ConvPlusNumberIsNoPatternInStrictMode) {
  EXPECT_EQ(KindOfRefusal("ConvAddScalar", kX86, Mode::kTorch), "AssertionError");
  EXPECT_TRUE(Make("ConvAddScalar", kX86, Mode::kStrict).IsQuantized("conv2d"));
  const ModeDifferences differences = Differences("ConvAddScalar", kX86);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].kind, "quantizer");
  EXPECT_THAT(differences[0].torch, HasSubstr("raises AssertionError: add adds conv2d"));
  EXPECT_EQ(differences[0].strict, "annotates 1 nodes");
}

TEST(X86InductorModes, AddsThatTorchFnTakesForOne) {
  EXPECT_EQ(KindOfRefusal("MixedAdds", kX86, Mode::kTorch), "TypeError");
  const Made strict = Make("MixedAdds", kX86, Mode::kStrict);
  EXPECT_TRUE(strict.IsQuantized("conv2d"));
  EXPECT_TRUE(strict.IsQuantized("conv2d_1"));
}

TEST(X86InductorModes, ModuleThatIsCalledTwice) {
  const Made torch = Make("LinearTwice", kX86, Mode::kTorch);
  EXPECT_FALSE(torch.IsQuantized("linear"));
  EXPECT_TRUE(torch.IsQuantized("linear_1"));
  EXPECT_THAT(torch.Lines(), Contains(HasSubstr("its module is called more than once")));
  EXPECT_TRUE(Make("LinearTwice", kX86, Mode::kStrict).IsQuantized("linear"));
  const ModeDifferences differences = Differences("LinearTwice", kX86);
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0].subject, "linear");
  EXPECT_THAT(differences[0].torch, HasSubstr("leaves it in float (set_global: its"));
  EXPECT_THAT(differences[0].strict,
              HasSubstr("annotates it (X86InductorQuantizer set_global: linear)"));
  EXPECT_EQ(KindOfRefusal("ConvTwiceApart", kX86, Mode::kTorch), "ValueError");
  EXPECT_TRUE(Make("ConvTwiceApart", kX86, Mode::kStrict).IsQuantized("conv2d_1"));
}

// Models without traps are annotated alike in both modes.
TEST(QuantizerModes, AgreeWhereThereIsNoTrap) {
  for (const char* model :
       {"ConvReLU", "ConvAddReluModule", "ConvReLU6", "LinearGELU", "LinearAddRelu",
        "Pools", "Concatenated", "TwoConvs", "Conv1dRelu", "Multiplied", "ConvsAdded"}) {
    SCOPED_TRACE(model);
    EXPECT_THAT(Differences(model, kX86), IsEmpty());
  }
  for (const char* model : {"ConvReLU", "ConvAddReluModule", "LinearReLU", "Pools",
                            "AddedScalars", "ConvTransposeRelu", "Multiplied"}) {
    SCOPED_TRACE(model);
    EXPECT_THAT(Differences(model, kXnnpack), IsEmpty());
  }
}

TEST(X86InductorPriorities, NameBeforeTypeBeforeGlobal) {
  const Made made = Make("Nested", R"({"quantizer": "x86_inductor", "settings": [
      {"call": "set_global", "config": {}},
      {"call": "set_module_type_qconfig", "type": "torch.nn.Conv2d",
       "config": {"reduce_range": true}},
      {"call": "set_module_name_qconfig", "name": "stem", "config": null}]})",
                         Mode::kTorch);
  const std::vector<std::string> lines = made.Lines();
  EXPECT_THAT(lines, Contains("set_module_name_qconfig('stem', None): reached conv2d"));
  EXPECT_THAT(lines, Contains("set_module_type_qconfig(torch.nn.Conv2d): reached "
                              "conv2d_1, relu_1"));
  EXPECT_THAT(lines, Contains("set_module_type_qconfig(torch.nn.Conv2d): conv2d went to "
                              "set_module_name_qconfig('stem', None)"));
  EXPECT_THAT(lines, Contains("set_global: conv2d_1 went to "
                              "set_module_type_qconfig(torch.nn.Conv2d)"));
  EXPECT_FALSE(made.IsQuantized("conv2d"));
  const auto* spec =
      As<QuantizationSpec>(made.annotations.Find("conv2d_1")->inputs.begin()->second);
  ASSERT_NE(spec, nullptr);
  EXPECT_EQ(spec->quant_max, 127);
}

TEST(X86InductorAccounts, SettingOfAMisspeltNameSaysTheNearest) {
  const Made made = Make("Nested", R"({"quantizer": "x86_inductor", "settings": [
      {"call": "set_module_name_qconfig", "name": "blok.conv", "config": {}}]})",
                         Mode::kTorch);
  EXPECT_THAT(made.Lines(), ElementsAre(HasSubstr(
                                "reached no node: no node comes from a module of name "
                                "'blok.conv', nearest known name block.conv")));
}

TEST(X86InductorAccounts, PropagationSaysWhichInputIsInFloat) {
  const Made made = Make("MaxPoolFirst", kX86, Mode::kTorch);
  EXPECT_THAT(made.Lines(), Contains(HasSubstr("set_global: not max_pool2d: its input")));
  EXPECT_THAT(made.quantizer->Warnings(),
              ElementsAre("The input of maxpool2d is not quantized, skip annotate "
                          "maxpool2d"));
}

TEST(XnnpackModes, NameOfAConvolution) {
  const Made torch = Make("Nested", kXnnpackStem, Mode::kTorch);
  EXPECT_FALSE(torch.IsQuantized("conv2d"));
  EXPECT_THAT(torch.Lines(),
              Contains(HasSubstr("set_module_name('stem'): not conv2d: the setting is "
                                 "asked of its get_attr node stem_weight")));
  const Made strict = Make("Nested", kXnnpackStem, Mode::kStrict);
  EXPECT_TRUE(strict.IsQuantized("conv2d"));
  EXPECT_THAT(strict.Lines(), Contains("set_module_name('stem'): reached conv2d"));
}

TEST(XnnpackModes, OperatorTypesAreReadInStrictMode) {
  const char* settings = R"({"quantizer": "xnnpack", "settings": [
      {"call": "set_operator_type", "type": "aten.linear", "config": {}}]})";
  const Made torch = Make("Nested", settings, Mode::kTorch);
  EXPECT_EQ(torch.annotations.size(), 0u);
  EXPECT_THAT(torch.Lines(),
              ElementsAre("set_operator_type(aten.linear): reached no node: operator "
                          "types are stored and never read"));
  const Made strict = Make("Nested", settings, Mode::kStrict);
  EXPECT_TRUE(strict.IsQuantized("linear"));
  EXPECT_FALSE(strict.IsQuantized("conv2d"));
}

TEST(XnnpackModes, NoneForANameLeavesInFloat) {
  const char* settings = R"({"quantizer": "xnnpack", "settings": [
      {"call": "set_module_name", "name": "block", "config": null},
      {"call": "set_global", "config": {}}]})";
  EXPECT_EQ(KindOfRefusal("Nested", settings, Mode::kTorch), "AssertionError");
  const Made strict = Make("Nested", settings, Mode::kStrict);
  EXPECT_FALSE(strict.IsQuantized("conv2d_1"));
  EXPECT_FALSE(strict.IsQuantized("relu_1"));
  EXPECT_TRUE(strict.IsQuantized("linear"));
}

TEST(XnnpackModes, DynamicConfigOfOneName) {
  const char* settings = R"({"quantizer": "xnnpack", "settings": [
      {"call": "set_module_name", "name": "s1", "config": {"is_dynamic": true}},
      {"call": "set_module_name", "name": "s2", "config": {}}]})";
  // torchao asks the global config alone whether to treat any as dynamic.
  const Made strict = Make("TwoHeads", settings, Mode::kStrict);
  EXPECT_TRUE(strict.IsQuantized("linear"));
  EXPECT_EQ(strict.annotations.Find("relu"), nullptr);
  EXPECT_TRUE(strict.IsQuantized("relu_1"));
}

TEST(XnnpackModes, ConcatenationIsFoundWhateverTheExport) {
  EXPECT_FALSE(Make("Concatenated", kXnnpack, Mode::kTorch).IsQuantized("cat"));
  EXPECT_TRUE(Make("Concatenated", kXnnpack, Mode::kTorch, true).IsQuantized("cat"));
  EXPECT_TRUE(Make("Concatenated", kXnnpack, Mode::kStrict).IsQuantized("cat"));
}

TEST(XnnpackModes, GruThatMakesItsOwnHiddenState) {
  EXPECT_EQ(KindOfRefusal("Gru", kXnnpack, Mode::kTorch), "IndexError");
  EXPECT_THAT(Make("Gru", kXnnpack, Mode::kStrict).Lines(),
              Contains(HasSubstr("and not 2 of each")));
}

TEST(XnnpackModes, SharedWeightOfTwoConvolutions) {
  EXPECT_FALSE(Make("ConvTwice", kXnnpack, Mode::kTorch).IsQuantized("conv2d_1"));
  EXPECT_TRUE(Make("ConvTwice", kXnnpack, Mode::kStrict).IsQuantized("conv2d_1"));
}

TEST(XnnpackSettings, FilterKeepsNodesInFloat) {
  const Made made = Make("Nested", R"({"quantizer": "xnnpack", "settings": [
      {"call": "set_filter_function", "modules": ["head"], "operators": []},
      {"call": "set_global", "config": {}}]})",
                         Mode::kTorch);
  EXPECT_TRUE(made.IsQuantized("conv2d"));
  EXPECT_FALSE(made.IsQuantized("linear"));
}

TEST(Composable, AnotherClassesAnnotationsAreReadInStrictModeOnly) {
  const char* settings = R"({"quantizers": [
      {"quantizer": "xnnpack", "settings": [
          {"call": "set_module_name", "name": "0", "config": {}},
          {"call": "set_module_type", "type": "torch.nn.Sequential", "config": {}}]},
      {"quantizer": "x86_inductor"}]})";
  EXPECT_EQ(KindOfRefusal("TwoConvs", settings, Mode::kTorch), "");
  const Made strict = Make("TwoConvs", settings, Mode::kStrict);
  EXPECT_THAT(strict.Lines(),
              Contains(HasSubstr("X86InductorQuantizer set_global: conv2d went to "
                                 "XNNPACKQuantizer")));
}

TEST(Composable, EmbeddingTwiceIsRefusedInTorchMode) {
  const char* settings =
      R"({"quantizers": [{"quantizer": "embedding"}, {"quantizer": "embedding"}]})";
  EXPECT_EQ(KindOfRefusal("Embedded", settings, Mode::kTorch), "RuntimeError");
  EXPECT_EQ(KindOfRefusal("Embedded", settings, Mode::kStrict), "");
}

}  // namespace
}  // namespace qconform
