#include "reference/convert/node_reason.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/convert/unused_settings.h"
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

// torch observes the input and the output, and convert leaves the weight float: its
// reference graph calls the float modules.
TEST(NodeReason, SaysThatAWeightStaysFloatWithBothValues) {
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(
      QConfig{ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}}),
              ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQUInt8}})});
  const GraphModule model = SmallModel();
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    PrepareOptions options;
    options.mode = mode;
    const Prepared prepared =
        PrepareFx(model, mapping,
                  std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")), options);
    const std::vector<NodeReason> reasons = ExplainNodes(model, prepared);
    for (const size_t index : {size_t{1}, size_t{4}}) {
      const NodeReason& linear = reasons[index];
      EXPECT_EQ(linear.fate, NodeFate::kFloat) << linear.text;
      EXPECT_EQ(linear.constraint, "weight_dtype") << linear.text;
      EXPECT_NE(linear.text.find("weight_dtype: the qconfig has quint8, the backend "
                                 "allows qint8"),
                std::string::npos)
          << linear.text;
      const bool observed = mode == Mode::kTorch;
      EXPECT_EQ(linear.took_effect, observed);
      EXPECT_EQ(linear.text.find("float: weight left float:") == 0, observed)
          << linear.text;
    }
    if (mode == Mode::kStrict) continue;
    ConvertOptions convert;
    convert.mode = mode;
    const GraphModule reference = ConvertToReference(prepared, convert);
    EXPECT_EQ(reference.FindModule("second")->type, "torch.nn.Linear");
    EXPECT_EQ(reference.FindModule("first")->children.Find("0")->get()->type,
              "torch.nn.Linear");
  }
}

// second(second(x)): with None for its last call, torch converts neither.
TEST(NodeReason, AModuleHasTheQConfigOfItsLastCall) {
  GraphModule model;
  model.root->children.Set("second", MakeLinear());
  Node* value = model.graph.Append(Op::kPlaceholder, "x");
  for (int call = 0; call < 2; ++call) {
    value = model.graph.Append(Op::kCallModule, "second", {value});
    model.scopes[value->name()] = {"second", "torch.nn.Linear"};
  }
  model.graph.Append(Op::kOutput, "output", {value});
  for (const bool last_is_none : {false, true}) {
    QConfigMapping mapping;
    mapping.global = Static(DType::kQUInt8, 0x1p-23);
    if (last_is_none) mapping.SetOrder("", "torch.nn.Linear", 1, nullptr);
    const Prepared prepared = PrepareFx(
        model, mapping, std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")));
    const NodeReason first = ExplainNodes(model, prepared)[1];
    EXPECT_EQ(first.fate, last_is_none ? NodeFate::kFloat : NodeFate::kQuantized);
    EXPECT_EQ(first.text.find("the module's last call, second_1, has qconfig None") !=
                  std::string::npos,
              last_is_none)
        << first.text;
    EXPECT_EQ(
        ConvertToReference(prepared, {}).FindModule("second")->type,
        last_is_none ? "torch.nn.Linear" : "torch.ao.nn.quantized.reference.Linear");
  }
}

// convert asks for the float class of a QAT module.
TEST(NodeReason, KnowsTheWeightOfATrainedModule) {
  const auto model = [] {
    GraphModule trained = SmallModel();
    for (const char* name : {"first", "act", "norm", "second"}) {
      trained.FindModule(name)->training = true;
    }
    return trained;
  }();
  PrepareOptions options;
  options.is_qat = true;
  for (const DType weight : {DType::kQInt8, DType::kQUInt8}) {
    QConfigMapping mapping;
    mapping.global = std::make_shared<QConfig>(QConfig{
        ObserverConstructor("FakeQuantize", {{"dtype", DType::kQUInt8}}),
        ObserverConstructor("FakeQuantize",
                            {{"dtype", weight},
                             {"quant_min", weight == DType::kQInt8 ? -128 : 0},
                             {"quant_max", weight == DType::kQInt8 ? 127 : 255}})});
    const Prepared prepared =
        PrepareFx(model, mapping,
                  std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")), options);
    const std::vector<NodeReason> reasons = ExplainNodes(model, prepared);
    ASSERT_EQ(prepared.module.FindModule("first")->type,
              "torch.ao.nn.intrinsic.qat.LinearReLU");
    for (const size_t index : {size_t{1}, size_t{4}}) {
      EXPECT_EQ(reasons[index].fate,
                weight == DType::kQInt8 ? NodeFate::kQuantized : NodeFate::kFloat)
          << reasons[index].text;
    }
  }
}

// x -> pad (F.pad) -> second (Linear) -> output; no config has a pattern for pad.
GraphModule PadModel() {
  GraphModule module;
  module.root->children.Set("second", MakeLinear());
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* pad = module.graph.Append(Op::kCallFunction, "torch.nn.functional.pad", {x});
  Node* second = module.graph.Append(Op::kCallModule, "second", {pad});
  module.scopes["second"] = {"second", "torch.nn.Linear"};
  module.graph.Append(Op::kOutput, "output", {second});
  return module;
}

// A rule that decides a node of which nothing is quantized has no effect, and a None has
// one only on a node that would be quantized without it.
TEST(NodeReason, ARuleIsUsedWhereSomethingComesOfIt) {
  const auto unused = [](const QConfigMapping& mapping) {
    const GraphModule model = PadModel();
    const Prepared prepared = PrepareFx(
        model, mapping, std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")));
    std::vector<std::string> rules;
    for (const QConfigRule& rule :
         UnusedSettingRules(model, prepared, ExplainNodes(model, prepared))) {
      rules.push_back(ToText(rule));
    }
    return rules;
  };
  const QConfigPointer qconfig = Static(DType::kQUInt8, 0x1p-23);
  const std::vector<std::string> pad = {"object_type torch.nn.functional.pad"};
  const std::vector<std::string> second = {"module_name second"};
  QConfigMapping mapping;
  mapping.global = qconfig;
  mapping.object_type.Set("torch.nn.functional.pad", qconfig);
  EXPECT_EQ(unused(mapping), pad);
  mapping.object_type.Set("torch.nn.functional.pad", nullptr);
  EXPECT_EQ(unused(mapping), pad);
  mapping.object_type = {};
  mapping.module_name.Set("second", qconfig);
  // The global one now decides pad alone.
  EXPECT_EQ(unused(mapping), std::vector<std::string>{"global"});
  mapping.module_name.Set("second", nullptr);
  // Without the None, second would have the global one.
  EXPECT_EQ(unused(mapping), std::vector<std::string>{"global"});
  mapping.global = nullptr;
  EXPECT_EQ(unused(mapping), second);
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
      UnusedSettings(model, prepared, ExplainNodes(model, prepared)),
      (std::vector<std::string>{"object_type torch.nn.Conv2d took effect on no node",
                                "module_name third took effect on no node"}));
}

}  // namespace
}  // namespace qconform
