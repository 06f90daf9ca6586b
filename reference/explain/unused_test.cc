#include "reference/explain/unused.h"

#include <gtest/gtest.h>

#include <map>

#include "reference/explain/nearest.h"
#include "reference/explain/test_explanation.h"

namespace qconform {
namespace {

const UnusedSetting* FindUnused(const ModelExplanation& explanation,
                                const std::string& setting) {
  for (const UnusedSetting& unused : explanation.unused) {
    if (unused.setting == setting) return &unused;
  }
  return nullptr;
}

TEST(UnusedSettings, SaysWhichRuleOverrodeAnother) {
  QConfigMapping mapping = GetDefaultQConfigMapping("x86");
  mapping.object_type = {};
  mapping.object_type.Set("torch.nn.MaxPool1d", nullptr);
  mapping.object_type.Set("torch.nn.Linera", nullptr);
  mapping.module_name.Set("pool", mapping.global);
  mapping.module_name.Set("pol", mapping.global);
  mapping.module_name_regex.Set("po", nullptr);
  mapping.module_name_regex.Set("zzz", nullptr);
  mapping.SetOrder("", "torch.nn.Linear", 5, nullptr);
  const ModelExplanation explanation = Explain(mapping);
  const UnusedSetting* type = FindUnused(explanation, "object_type torch.nn.MaxPool1d");
  ASSERT_NE(type, nullptr);
  EXPECT_NE(type->why.find("pool got its qconfig from module_name pool"),
            std::string::npos)
      << type->why;
  const UnusedSetting* typo = FindUnused(explanation, "object_type torch.nn.Linera");
  ASSERT_NE(typo, nullptr);
  EXPECT_TRUE(typo->nothing_like_it);
  EXPECT_NE(typo->why.find("nearest is torch.nn.Linear"), std::string::npos) << typo->why;
  const UnusedSetting* name = FindUnused(explanation, "module_name pol");
  ASSERT_NE(name, nullptr);
  EXPECT_NE(name->why.find("no module has this name, nearest is pool"), std::string::npos)
      << name->why;
  const UnusedSetting* expression = FindUnused(explanation, "module_name_regex po");
  ASSERT_NE(expression, nullptr);
  EXPECT_NE(expression->why.find("module_name pool"), std::string::npos);
  const UnusedSetting* nothing = FindUnused(explanation, "module_name_regex zzz");
  ASSERT_NE(nothing, nullptr);
  EXPECT_TRUE(nothing->nothing_like_it);
  const UnusedSetting* order =
      FindUnused(explanation, "module_name_object_type_order " +
                                  QConfigMapping::OrderKey("", "torch.nn.Linear", 5));
  ASSERT_NE(order, nullptr);
  EXPECT_NE(order->why.find(
                "nodes that are torch.nn.Linear directly in '': 2, none is number 5"),
            std::string::npos)
      << order->why;
  EXPECT_EQ(FindUnused(explanation, "module_name pool"), nullptr);
}

TEST(UnusedSettings, SaysWhyARowOfTheConfigTookNoEffect) {
  const ModelExplanation explanation = Explain(GetDefaultQConfigMapping("x86"));
  const UnusedSetting* conv = FindUnused(explanation, "torch.nn.Conv2d");
  ASSERT_NE(conv, nullptr);
  EXPECT_TRUE(conv->nothing_like_it);
  EXPECT_EQ(conv->why, "no node is torch.nn.Conv2d");
  const UnusedSetting* fused =
      FindUnused(explanation, "(torch.nn.ReLU, torch.nn.BatchNorm2d)");
  ASSERT_NE(fused, nullptr);
  EXPECT_NE(fused->why.find("fails at fc: module torch.nn.Linear, the pattern wants "
                            "torch.nn.BatchNorm2d"),
            std::string::npos)
      << fused->why;
  EXPECT_EQ(FindUnused(explanation, "torch.nn.Linear"), nullptr);
  QConfigMapping half = GetDefaultQConfigMapping("x86");
  half.object_type.Set("torch.nn.MaxPool1d", nullptr);
  const ModelExplanation refused = Explain(half);
  const UnusedSetting* pool = FindUnused(refused, "torch.nn.MaxPool1d");
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->why, "it matches and nothing comes of it at pool: it has no qconfig");
}

TEST(UnusedSettings, SaysWhichCustomSettingTookNoEffect) {
  PrepareOptions options;
  options.custom_config.input_quantized_indexes = {0, 3};
  options.custom_config.non_traceable_module_names = {"fc", "fcc"};
  options.custom_config.static_observed_classes.Set("npu.Swizzle", "npu.Observed");
  const ModelExplanation explanation = Explain(GetDefaultQConfigMapping("x86"), options);
  EXPECT_EQ(FindUnused(explanation, "input_quantized_idxs 0"), nullptr);
  EXPECT_NE(FindUnused(explanation, "input_quantized_idxs 3"), nullptr);
  EXPECT_EQ(FindUnused(explanation, "non_traceable_module_name fc"), nullptr);
  const UnusedSetting* name = FindUnused(explanation, "non_traceable_module_name fcc");
  ASSERT_NE(name, nullptr);
  EXPECT_NE(name->why.find("nearest is fc"), std::string::npos) << name->why;
  EXPECT_NE(FindUnused(explanation, "float_to_observed_custom_module_class npu.Swizzle"),
            nullptr);
}

// x -> norm (GroupNorm, which x86 has no row for) -> reshape -> output: reshape would
// take the observer of its input, which has none.
TEST(UnusedSettings, ARowThatMatchesAndGivesNoObserverIsUnused) {
  GraphModule model;
  model.SetModule("norm", ModuleOf("torch.nn.GroupNorm"));
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* norm = model.graph.Append(Op::kCallModule, "norm", {x});
  Node* flat = model.graph.Append(Op::kCallMethod, "reshape", {norm, -1});
  model.graph.Append(Op::kOutput, "output", {flat});
  const QConfigMapping mapping = GetDefaultQConfigMapping("x86");
  ASSERT_NE(mapping.object_type.Find("reshape"), nullptr);
  const ModelExplanation explanation = ExplainModel(
      model, PrepareFx(model, mapping,
                       std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"))));
  const UnusedSetting* row = FindUnused(explanation, "'reshape'");
  ASSERT_NE(row, nullptr);
  EXPECT_NE(row->why.find("nothing comes of it at reshape"), std::string::npos)
      << row->why;
  const UnusedSetting* rule = FindUnused(explanation, "object_type reshape");
  ASSERT_NE(rule, nullptr);
  EXPECT_NE(rule->why.find("nothing comes of it: reshape: float: "), std::string::npos)
      << rule->why;
  const UnusedSetting* global = FindUnused(explanation, "global");
  ASSERT_NE(global, nullptr);
  EXPECT_NE(global->why.find("norm: float: no pattern"), std::string::npos)
      << global->why;
}

TEST(UnusedSettings, SaysWhichClassesAndAttributesTookNoEffect) {
  PrepareOptions options;
  PrepareCustomConfig& custom = options.custom_config;
  custom.preserved_attributes = {"fc", "fcc"};
  custom.static_observed_classes.Set("torch.nn.Linear", "npu.ObservedLinear");
  custom.dynamic_observed_classes.Set("torch.nn.Linear", "npu.ObservedLinear");
  custom.output_quantized_indexes = {0};
  ConvertCustomConfig convert;
  convert.static_quantized_classes.Set("npu.ObservedLinear", "npu.QuantizedLinear");
  convert.static_quantized_classes.Set("npu.ObservedLinaer", "npu.QuantizedLinear");
  convert.weight_only_quantized_classes.Set("npu.ObservedLinear", "npu.Other");
  // The relu was fused away.
  convert.preserved_attributes = {"fc2", "relu"};
  const GraphModule model = MakeModel();
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  const Prepared prepared =
      PrepareFx(model, GetDefaultQConfigMapping("x86"), config, options);
  ASSERT_EQ(prepared.module.FindModule("fc2")->type, "npu.ObservedLinear");
  const ModelExplanation explanation = ExplainModel(model, prepared, convert);
  std::map<std::string, std::string> found;
  std::vector<std::string> settings;
  for (const UnusedSetting& unused : explanation.unused) {
    if (unused.kind != "custom setting") continue;
    settings.push_back(unused.setting);
    found[unused.setting] = unused.why;
  }
  const std::string quantized = "observed_to_quantized_custom_module_class ";
  EXPECT_EQ(settings,
            (std::vector<std::string>{
                "float_to_observed_custom_module_class torch.nn.Linear",
                "preserved_attributes fcc", quantized + "npu.ObservedLinaer",
                quantized + "npu.ObservedLinear", "preserved_attributes relu"}));
  EXPECT_EQ(found["float_to_observed_custom_module_class torch.nn.Linear"],
            "fc2 has a static qconfig, and this is for dynamic ones");
  EXPECT_EQ(found["preserved_attributes fcc"],
            "the model's root has no attribute of this name, nearest is fc");
  EXPECT_NE(found[quantized + "npu.ObservedLinaer"].find("nearest is npu.ObservedLinear"),
            std::string::npos);
  EXPECT_EQ(found[quantized + "npu.ObservedLinear"],
            "fc2 has a static qconfig, and this is for weight_only ones");
  const std::vector<UnusedSetting> fuse = UnusedFuseSettings(model, {{"pool", "pol"}});
  ASSERT_EQ(fuse.size(), 1u);
  EXPECT_EQ(fuse[0].setting, "preserved_attributes pol");
}

// Nothing is swapped or left quantized under None.
TEST(UnusedSettings, CustomSettingsOfNodesWithoutQConfigTookNoEffect) {
  PrepareOptions options;
  options.custom_config.static_observed_classes.Set("torch.nn.Linear", "npu.Observed");
  options.custom_config.output_quantized_indexes = {0, -1};
  QConfigMapping mapping;
  mapping.module_name.Set("fc", GetDefaultQConfigMapping("x86").global);
  const ModelExplanation explanation = Explain(mapping, options);
  const UnusedSetting* type =
      FindUnused(explanation, "float_to_observed_custom_module_class torch.nn.Linear");
  ASSERT_NE(type, nullptr);
  EXPECT_NE(type->why.find("fc2: float: the global qconfig is None"), std::string::npos)
      << type->why;
  const UnusedSetting* output = FindUnused(explanation, "output_quantized_idxs 0");
  ASSERT_NE(output, nullptr);
  EXPECT_NE(output->why.find("add is not quantized: float: "), std::string::npos)
      << output->why;
  // The one value is no tuple.
  EXPECT_NE(FindUnused(explanation, "output_quantized_idxs -1"), nullptr);
}

TEST(UnusedSettings, AnInputThatNothingReadsIsNotQuantized) {
  GraphModule model;
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  model.graph.Append(Op::kPlaceholder, "y");
  model.graph.Append(Op::kOutput, "output", {x});
  PrepareOptions options;
  options.custom_config.input_quantized_indexes = {0, 1};
  // What arrives quantized may leave so.
  options.custom_config.output_quantized_indexes = {0};
  const ModelExplanation explanation = ExplainModel(
      model,
      PrepareFx(model, GetDefaultQConfigMapping("x86"),
                std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")), options));
  EXPECT_EQ(FindUnused(explanation, "input_quantized_idxs 0"), nullptr);
  EXPECT_EQ(FindUnused(explanation, "output_quantized_idxs 0"), nullptr);
  const UnusedSetting* unread = FindUnused(explanation, "input_quantized_idxs 1");
  ASSERT_NE(unread, nullptr);
  EXPECT_EQ(unread->why, "no node reads y");
}

// A search for each of thousands of rules would take longer than everything else.
TEST(UnusedSettings, NearestNamesAreGivenForTheFirstOnly) {
  QConfigMapping mapping;
  for (int i = 0; i < NearestNames::kMostSearches + 2; ++i) {
    mapping.module_name.Set("pool" + std::to_string(i), nullptr);
  }
  const ModelExplanation explanation = Explain(mapping);
  const auto why = [&](int i) {
    return FindUnused(explanation, "module_name pool" + std::to_string(i))->why;
  };
  EXPECT_EQ(why(99), "no module has this name, nearest is pool");
  // A setting's text speaks of that setting alone.
  EXPECT_EQ(why(100), "no module has this name");
  EXPECT_EQ(why(101), "no module has this name");
}

}  // namespace
}  // namespace qconform
