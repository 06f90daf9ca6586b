#include "reference/match/find_matches.h"

#include <gtest/gtest.h>

#include "reference/ir/error.h"

namespace qconform {
namespace {

BackendConfig Config(const std::vector<Pattern>& patterns) {
  BackendConfig config("test");
  for (const Pattern& pattern : patterns) config.Set(BackendPatternConfig(pattern));
  return config;
}

TEST(FindMatches, NestsAPatternOfThreeAsTorchDoes) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* add = module.graph.Append(Op::kCallFunction, "torch.add", {x});
  Node* mul = module.graph.Append(Op::kCallFunction, "torch.mul", {add});
  Node* relu = module.graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {mul});
  const BackendConfig config = Config(
      {Pattern::Tuple({Pattern::Function("torch.add"), Pattern::Function("torch.mul"),
                       Pattern::Function("torch.nn.functional.relu")})});
  const MatchMap matches = FindMatches(module, config);
  ASSERT_EQ(matches.size(), 3u);
  EXPECT_EQ(matches.begin()->first, "relu");
  const QuantizationMatch& match = **matches.Find("add");
  EXPECT_EQ(match.last, relu);
  EXPECT_EQ(match.root, add);
  EXPECT_EQ(match.nodes,
            Argument::List({relu, Argument::Tuple({Argument(mul), Argument(add)})}));
}

TEST(FindMatches, AGetAttrPatternRaisesUnlessStrict) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  module.graph.Append(Op::kCallFunction, "builtins.getattr", {x, "shape"});
  BackendConfig config("test");
  BackendPatternConfig entry;
  entry.SetPatternComplexFormat(
      Pattern::Tuple({Pattern::Function("builtins.getattr"), Pattern::Method("shape")}));
  config.Set(std::move(entry));
  try {
    FindMatches(module, config);
    FAIL();
  } catch (const PipelineError& error) {
    EXPECT_EQ(error.kind(), "IndexError");
  }
  MatchOptions strict;
  strict.mode = Mode::kStrict;
  const MatchMap matches = FindMatches(module, config, strict);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ((*matches.Find("getattr_1"))->root, module.graph.Find("getattr_1"));
}

// A residual row of onednn whose fusion was left undone: its getter unpacks what fusion
// nests. Strict mode matches the addition alone.
TEST(FindMatches, ARootThatIsNotFoundRaisesUnlessStrict) {
  GraphModule module;
  for (const char* type : {"torch.nn.Conv2d", "torch.nn.BatchNorm2d"}) {
    auto called = std::make_shared<Module>();
    called->type = type;
    module.SetModule(type + std::string("torch.nn.").size(), called);
  }
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* conv = module.graph.Append(Op::kCallModule, "Conv2d", {x});
  Node* bn = module.graph.Append(Op::kCallModule, "BatchNorm2d", {conv});
  Node* add = module.graph.Append(Op::kCallFunction, "torch.add", {bn, x});
  BackendConfig config("test");
  BackendPatternConfig residual;
  residual.SetPatternComplexFormat(
      Pattern::Tuple({Pattern::Function("torch.add"),
                      Pattern::Tuple({Pattern::Module("torch.nn.BatchNorm2d"),
                                      Pattern::Module("torch.nn.Conv2d")}),
                      Pattern::MatchAll()}));
  residual.root_node_getter =
      "torch.ao.quantization.backend_config.onednn._conv_bn_add_root_node_getter_left";
  config.Set(std::move(residual));
  config.Set(BackendPatternConfig(Pattern::Function("torch.add")));
  EXPECT_THROW(FindMatches(module, config), PipelineError);
  MatchOptions strict;
  strict.mode = Mode::kStrict;
  const MatchMap matches = FindMatches(module, config, strict);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ((*matches.Find("add"))->root, add);
}

TEST(FindMatches, CountsTensorsOfTheRoot) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* shape = module.graph.Append(Op::kCallFunction, "builtins.getattr", {x, "shape"});
  Node* size = module.graph.Append(Op::kCallFunction, "operator.getitem", {shape, 0});
  module.graph.Append(Op::kCallFunction, "operator.add", {x, x});
  module.graph.Append(Op::kCallFunction, "operator.add", {x, 2.0});
  module.graph.Append(Op::kCallFunction, "operator.add", {x, size});
  BackendConfig config("test");
  BackendPatternConfig entry(Pattern::Function("operator.add"));
  entry.num_tensor_args_to_observation_type = {
      {1, ObservationType::kOutputShareObserverWithInput},
      {2, ObservationType::kOutputUseDifferentObserverAsInput}};
  config.Set(std::move(entry));
  const MatchMap matches = FindMatches(module, config);
  EXPECT_EQ((*matches.Find("add"))->num_tensor_args, 2);
  EXPECT_EQ((*matches.Find("add_1"))->num_tensor_args, 1);
  EXPECT_EQ((*matches.Find("add_2"))->num_tensor_args, 1);
  EXPECT_EQ((*matches.Find("add_2"))->observation_type,
            ObservationType::kOutputShareObserverWithInput);

  // A number of tensors that the entry does not know.
  module.graph.Append(Op::kCallFunction, "operator.add", {size, size});
  EXPECT_THROW(FindMatches(module, config), PipelineError);
}

TEST(FindMatches, CustomAndStandaloneModulesReplaceMatches) {
  GraphModule module;
  for (const char* name : {"a", "b"}) {
    auto child = std::make_shared<Module>();
    child->type = std::string("Mine") + name;
    module.SetModule(name, child);
  }
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* a = module.graph.Append(Op::kCallModule, "a", {x});
  module.graph.Append(Op::kCallModule, "b", {a});
  const BackendConfig config = Config({Pattern::Module("Minea")});
  MatchOptions options;
  options.custom_module_classes = {"Minea"};
  options.standalone_module_names = {"b"};
  const MatchMap matches = FindMatches(module, config, options);
  ASSERT_EQ(matches.size(), 2u);
  EXPECT_TRUE((*matches.Find("a"))->is_custom_module);
  EXPECT_EQ((*matches.Find("a"))->entry, nullptr);
  EXPECT_EQ((*matches.Find("a"))->nodes, Argument(a));
  EXPECT_TRUE((*matches.Find("b"))->is_standalone_module);
}

// A chain that would overflow the stack of a recursive walk, and would take hours if
// every node were looked at from every other.
TEST(FindMatches, IsLinearInTheGraph) {
  GraphModule module;
  Node* node = module.graph.Append(Op::kPlaceholder, "x");
  for (int i = 0; i < 100000; ++i) {
    node = module.graph.Append(Op::kCallFunction, "operator.add", {node, 1});
  }
  const MatchMap matches =
      FindMatches(module, Config({Pattern::Function("operator.add")}));
  EXPECT_EQ(matches.size(), 100000u);
}

}  // namespace
}  // namespace qconform
