#include "reference/explain/model_explanation.h"

#include <gtest/gtest.h>

#include "reference/explain/test_explanation.h"

namespace qconform {
namespace {

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
