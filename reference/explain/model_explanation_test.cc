#include "reference/explain/model_explanation.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/ir/test_module.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

// x -> linear -> relu -> max pool -> add(pool, linear2(x)) -> output
GraphModule MakeModel() {
  GraphModule model;
  for (const char* name : {"fc", "fc2"}) {
    auto linear = ModuleOf("torch.nn.Linear");
    linear->attributes.Set("in_features", 4);
    linear->attributes.Set("out_features", 4);
    linear->parameters.Set("weight", Tensor(DType::kFloat32, {4, 4}));
    linear->parameters.Set("bias", Tensor(DType::kFloat32, {4}));
    model.SetModule(name, linear);
  }
  model.SetModule("relu", ModuleOf("torch.nn.ReLU"));
  model.SetModule("pool", ModuleOf("torch.nn.MaxPool1d"));
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* fc = model.graph.Append(Op::kCallModule, "fc", {x});
  Node* relu = model.graph.Append(Op::kCallModule, "relu", {fc});
  Node* pool = model.graph.Append(Op::kCallModule, "pool", {relu});
  Node* fc2 = model.graph.Append(Op::kCallModule, "fc2", {x});
  Node* add = model.graph.Append(Op::kCallFunction, "operator.add", {pool, fc2});
  model.graph.Append(Op::kOutput, "output", {add});
  return model;
}

ModelExplanation Explain(const QConfigMapping& mapping, PrepareOptions options = {}) {
  const GraphModule model = MakeModel();
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  return ExplainModel(model, PrepareFx(model, mapping, config, options));
}

const UnusedSetting* FindUnused(const ModelExplanation& explanation,
                                const std::string& setting) {
  for (const UnusedSetting& unused : explanation.unused) {
    if (unused.setting == setting) return &unused;
  }
  return nullptr;
}

TEST(ModelExplanation, NamesObserversAndWhoSharesThem) {
  const ModelExplanation explanation = Explain(GetDefaultQConfigMapping("x86"));
  ASSERT_EQ(explanation.nodes.size(), 7u);
  const ExplainedNode& fc = explanation.nodes[1];
  ASSERT_EQ(fc.observers.size(), 2u);
  EXPECT_EQ(fc.observers[0].role, "input");
  EXPECT_EQ(fc.observers[0].observes, "x");
  EXPECT_EQ(fc.observers[0].class_name, "HistogramObserver");
  EXPECT_EQ(fc.observers[0].dtype, "quint8");
  EXPECT_EQ(fc.observers[0].range, "[0, 127]");
  EXPECT_EQ(fc.observers[0].group.size(), 1u);
  const ExplainedNode& pool = explanation.nodes[3];
  ASSERT_EQ(pool.observers.size(), 2u);
  // The pool's output has the observer of its input.
  EXPECT_EQ(pool.observers[0].group.size(), 2u);
  EXPECT_EQ(pool.observers[0].group, pool.observers[1].group);
  const std::string text = ToText(explanation, {});
  EXPECT_NE(text.find("one object with " + pool.observers[1].name), std::string::npos)
      << text;
  EXPECT_NE(text.find("7 nodes: 1 fused, 4 quantized, 0 left in float, 2 compute no "
                      "tensor\n"),
            std::string::npos)
      << text;
}

TEST(ModelExplanation, SaysWhereTorchDoesNotDoWhatItDeclares) {
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    PrepareOptions options;
    options.mode = mode;
    const ModelExplanation explanation =
        Explain(GetDefaultQConfigMapping("x86"), options);
    ASSERT_EQ(explanation.differences.size(), 2u);
    EXPECT_EQ(explanation.differences[0].kind, "symmetric_scheme_lost");
    EXPECT_EQ(explanation.differences[0].subject, "2 weights");
    EXPECT_EQ(explanation.differences[1].kind, "range_not_held");
    EXPECT_NE(
        ToText(explanation, {})
            .find("differs  2 weights: torch records a symmetric qscheme as affine"),
        std::string::npos);
    EXPECT_EQ(ToJson(explanation)["differences"].size(), 2u);
  }
}

TEST(ModelExplanation, SaysWhichRuleOverrodeAnother) {
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
  EXPECT_NE(order->why.find("2 nodes are torch.nn.Linear directly in ''"),
            std::string::npos)
      << order->why;
  EXPECT_EQ(FindUnused(explanation, "module_name pool"), nullptr);
}

TEST(ModelExplanation, SaysWhyARowOfTheConfigTookNoEffect) {
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
  EXPECT_EQ(pool->why, "it matches and stays float at pool: it has no qconfig");
}

TEST(ModelExplanation, SaysWhichCustomSettingTookNoEffect) {
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

TEST(ModelExplanation, JsonHoldsTheSame) {
  const ModelExplanation explanation = Explain(GetDefaultQConfigMapping("x86"));
  const ordered_json json = ToJson(explanation);
  ASSERT_EQ(json["nodes"].size(), explanation.nodes.size());
  EXPECT_EQ(json["nodes"][2]["fate"], "fused");
  EXPECT_EQ(json["nodes"][1]["observers"][0]["class"], "HistogramObserver");
  EXPECT_EQ(json["unused"].size(), explanation.unused.size());
}

}  // namespace
}  // namespace qconform
