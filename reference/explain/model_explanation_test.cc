#include "reference/explain/model_explanation.h"

#include <gtest/gtest.h>

#include <map>

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
  EXPECT_EQ(fc.observers[0].shared_by, 1u);
  const ExplainedNode& pool = explanation.nodes[3];
  ASSERT_EQ(pool.observers.size(), 2u);
  // The pool's output has the observer of its input.
  EXPECT_EQ(pool.observers[0].shared_by, 2u);
  EXPECT_EQ(pool.observers[1].shared_by, 2u);
  EXPECT_EQ(pool.observers[0].first, pool.observers[0].name);
  EXPECT_EQ(pool.observers[1].first, pool.observers[0].name);
  EXPECT_EQ(
      explanation.shared,
      (std::vector<SharingGroup>{{pool.observers[0].name, pool.observers[1].name}}));
  const std::string text = ToText(explanation, {});
  EXPECT_NE(text.find("shared by 2, first " + pool.observers[0].name), std::string::npos)
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
  EXPECT_NE(order->why.find(
                "nodes that are torch.nn.Linear directly in '': 2, none is number 5"),
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
  EXPECT_EQ(pool->why, "it matches and nothing comes of it at pool: it has no qconfig");
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

// x -> norm (GroupNorm, which x86 has no row for) -> reshape -> output: reshape would
// take the observer of its input, which has none.
TEST(ModelExplanation, ARowThatMatchesAndGivesNoObserverIsUnused) {
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

TEST(ModelExplanation, SaysWhichClassesAndAttributesTookNoEffect) {
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
TEST(ModelExplanation, CustomSettingsOfNodesWithoutQConfigTookNoEffect) {
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

TEST(ModelExplanation, AnInputThatNothingReadsIsNotQuantized) {
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

// x -> block (standalone: fc, pool) -> output
GraphModule StandaloneModel() {
  const GraphModule parts = MakeModel();
  auto block = ModuleOf("torch.nn.Sequential");
  block->children = {{"fc", parts.FindModule("fc")}, {"pool", parts.FindModule("pool")}};
  GraphModule model;
  model.SetModule("block", block);
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kCallModule, "block", {x});
  model.graph.Append(Op::kOutput, "output", {y});
  return model;
}

TEST(ModelExplanation, ListsWhatIsInsideAStandaloneModule) {
  const GraphModule model = StandaloneModel();
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  for (const bool has_own : {false, true}) {
    PrepareOptions options;
    StandaloneModule settings;
    QConfigMapping mapping = GetDefaultQConfigMapping("x86");
    mapping.object_type = {};
    if (has_own) {
      settings.qconfig_mapping = mapping;
      settings.qconfig_mapping->module_name.Set("gone", nullptr);
      settings.backend_config =
          std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
      PrepareCustomConfig inner;
      inner.preserved_attributes = {"anchors"};
      settings.prepare_custom_config = std::make_shared<PrepareCustomConfig>(inner);
      mapping.global = nullptr;
    }
    options.custom_config.standalone_module_names.Set("block", settings);
    const ModelExplanation explanation =
        ExplainModel(model, PrepareFx(model, mapping, config, options));
    std::vector<std::string> nodes;
    for (const ExplainedNode& node : explanation.nodes) {
      nodes.push_back(node.path + node.reason.node);
    }
    EXPECT_EQ(nodes, (std::vector<std::string>{"x", "block", "block.input_1", "block.fc",
                                               "block.pool", "block.output", "output"}));
    EXPECT_EQ(explanation.nodes[1].reason.fate, NodeFate::kQuantized);
    EXPECT_EQ(explanation.nodes[3].reason.fate, NodeFate::kQuantized);
    // The pool has the observer of the linear.
    ASSERT_EQ(explanation.shared.size(), 1u);
    EXPECT_EQ(explanation.shared[0].size(), 2u);
    EXPECT_EQ(explanation.shared[0][0].rfind("block.activation_post_process_", 0), 0u);
    const std::string text = ToText(explanation, {});
    EXPECT_NE(text.find("block.fc (torch.nn.Linear): quantized (input and output, weight "
                        "qint8)"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("output block.activation_post_process_"), std::string::npos);
    EXPECT_NE(text.find("standalone module, 2 of its 2 nodes quantized by " +
                        std::string(has_own ? "its own mapping" : "qconfig ")),
              std::string::npos)
        << text;
    const auto inside = [&](const std::string& setting) {
      std::vector<std::string> places;
      for (const UnusedSetting& unused : explanation.unused) {
        if (unused.setting == setting) places.push_back(unused.inside);
      }
      return places;
    };
    const std::vector<std::string> nowhere;
    const std::vector<std::string> model_and_block = {"block", ""};
    // The row is used inside, in which config it stands; that of the model is not.
    EXPECT_EQ(inside("torch.nn.Linear"),
              has_own ? std::vector<std::string>{""} : nowhere);
    EXPECT_EQ(inside("torch.nn.Conv2d"),
              has_own ? model_and_block : std::vector<std::string>{""});
    EXPECT_EQ(inside("module_name gone"),
              has_own ? std::vector<std::string>{"block"} : nowhere);
    EXPECT_EQ(inside("preserved_attributes anchors"),
              has_own ? std::vector<std::string>{"block"} : nowhere);
    EXPECT_EQ(inside("global"), nowhere);
    EXPECT_EQ(text.find("unused   mapping rule module_name gone inside block") !=
                  std::string::npos,
              has_own)
        << text;
  }
}

// Every operator of the chain shares one observer; the explanation grows as the chain.
TEST(ModelExplanation, GrowsLinearlyWithAnObserverThatAllShare) {
  const auto explain = [](int length) {
    GraphModule model;
    Node* value = model.graph.Append(Op::kPlaceholder, "x");
    for (int i = 0; i < length; ++i) {
      value = model.graph.Append(Op::kCallFunction, "torch.flatten", {value});
    }
    model.graph.Append(Op::kOutput, "output", {value});
    QConfigMapping mapping;
    mapping.global = GetDefaultQConfigMapping("x86").global;
    return ExplainModel(
        model, PrepareFx(model, mapping,
                         std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"))));
  };
  const ModelExplanation small = explain(100);
  const ModelExplanation large = explain(400);
  ASSERT_EQ(large.shared.size(), 1u);
  EXPECT_EQ(large.shared[0].size(), 401u);
  EXPECT_LT(ToText(large, {}).size(), 5 * ToText(small, {}).size());
  EXPECT_LT(ToJson(large)["nodes"].dump().size(),
            5 * ToJson(small)["nodes"].dump().size());
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
