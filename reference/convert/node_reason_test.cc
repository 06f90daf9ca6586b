#include "reference/convert/node_reason.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/ir/test_module.h"

namespace qconform {
namespace {

std::shared_ptr<Module> MakeLinear() {
  auto linear = ModuleOf("torch.nn.Linear");
  linear->attributes.Set("in_features", 2);
  linear->attributes.Set("out_features", 2);
  linear->parameters.Set("weight", Tensor(DType::kFloat32, {2, 2}));
  linear->parameters.Set("bias", Tensor(DType::kFloat32, {2}));
  return linear;
}

// x -> first -> act (ReLU) -> norm (GroupNorm) -> second -> output
GraphModule SmallModel() {
  GraphModule module;
  module.root->children.Set("first", MakeLinear());
  module.root->children.Set("act", ModuleOf("torch.nn.ReLU"));
  module.root->children.Set("norm", ModuleOf("torch.nn.GroupNorm"));
  module.root->children.Set("second", MakeLinear());
  Graph& graph = module.graph;
  Node* value = graph.Append(Op::kPlaceholder, "x");
  for (const char* name : {"first", "act", "norm", "second"}) {
    value = graph.Append(Op::kCallModule, name, {value});
    module.scopes[name] = {name, module.FindModule(name)->type};
  }
  graph.Append(Op::kOutput, "output", {value});
  return module;
}

QConfigPointer Static(DType activation, double eps) {
  return std::make_shared<QConfig>(QConfig{
      ObserverConstructor("MinMaxObserver",
                          {{"dtype", activation}, {"eps", Argument(eps)}}),
      ObserverConstructor(
          "MinMaxObserver",
          {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_tensor_symmetric"}})});
}

std::vector<NodeReason> Explain(const std::string& backend,
                                const QConfigMapping& mapping) {
  const GraphModule model = SmallModel();
  const Prepared prepared = PrepareFx(
      model, mapping, std::make_shared<BackendConfig>(BuiltInBackendConfig(backend)));
  return ExplainNodes(model, prepared);
}

TEST(NodeReason, NamesPatternRuleAndFusion) {
  QConfigMapping mapping;
  mapping.global = Static(DType::kQUInt8, 0x1p-23);
  mapping.module_name.Set("second", nullptr);
  const std::vector<NodeReason> reasons = Explain("x86", mapping);
  ASSERT_EQ(reasons.size(), 6u);
  EXPECT_EQ(reasons[0].fate, NodeFate::kNoValue);

  EXPECT_EQ(reasons[1].fate, NodeFate::kQuantized) << reasons[1].text;
  EXPECT_EQ(reasons[1].rule.kind, QConfigRule::Kind::kGlobal);
  EXPECT_NE(reasons[1].pattern.find("LinearReLU"), std::string::npos);
  EXPECT_NE(reasons[1].text.find("fused with act"), std::string::npos) << reasons[1].text;

  EXPECT_EQ(reasons[2].fate, NodeFate::kFused);
  EXPECT_EQ(reasons[2].fused_into, "first");

  EXPECT_EQ(reasons[3].fate, NodeFate::kFloat);
  EXPECT_EQ(reasons[3].constraint, "pattern");
  EXPECT_NE(reasons[3].text.find("no pattern of backend config x86 matches "
                                 "torch.nn.GroupNorm"),
            std::string::npos)
      << reasons[3].text;

  EXPECT_EQ(reasons[4].fate, NodeFate::kFloat);
  EXPECT_EQ(reasons[4].constraint, "qconfig");
  EXPECT_EQ(reasons[4].text, "float: its qconfig is None by module_name second");
}

TEST(NodeReason, NamesTheConstraintWithBothValues) {
  QConfigMapping mapping;
  mapping.global = Static(DType::kQInt8, 0x1p-23);
  const std::vector<NodeReason> reasons = Explain("executorch", mapping);
  EXPECT_EQ(reasons[4].fate, NodeFate::kFloat) << reasons[4].text;
  EXPECT_EQ(reasons[4].constraint, "scale_min_lower_bound") << reasons[4].text;
  // 2^-23 and 2^-12.
  EXPECT_NE(reasons[4].text.find("1.19"), std::string::npos) << reasons[4].text;
  EXPECT_NE(reasons[4].text.find("0.000244"), std::string::npos) << reasons[4].text;
}

TEST(NodeReason, ListsSettingsWithoutEffect) {
  QConfigMapping mapping;
  mapping.global = Static(DType::kQUInt8, 0x1p-23);
  mapping.object_type.Set("torch.nn.Conv2d", mapping.global);
  mapping.module_name.Set("third", nullptr);
  const GraphModule model = SmallModel();
  const Prepared prepared = PrepareFx(
      model, mapping, std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")));
  EXPECT_EQ(
      UnusedSettings(prepared),
      (std::vector<std::string>{"object_type torch.nn.Conv2d took effect on no node",
                                "module_name third took effect on no node"}));
}

}  // namespace
}  // namespace qconform
