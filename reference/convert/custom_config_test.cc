// Standalone and custom modules, preserved attributes, preset qconfigs: node for node
// what torch 2.14.1 makes of the models in the comments.
#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/convert/convert.h"
#include "reference/ir/error.h"
#include "reference/ir/graph_state.h"
#include "reference/ir/test_module.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/standalone_module.h"
#include "reference/qconfig/default_qconfig.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

std::shared_ptr<Module> MakeLinear(float value) {
  auto linear = ModuleOf("torch.nn.Linear");
  linear->attributes.Set("in_features", 2);
  linear->attributes.Set("out_features", 2);
  linear->parameters.Set(
      "weight",
      Tensor::FromVector<float>(DType::kFloat32, {2, 2}, {value, -value, 1.0f, value}));
  linear->parameters.Set("bias", Tensor(DType::kFloat32, {2}));
  return linear;
}

// x -> a (Linear) -> s (`inner`) -> l (Linear) -> output
GraphModule Model(const std::shared_ptr<Module>& inner) {
  GraphModule module;
  module.root->children.Set("a", MakeLinear(0.5f));
  module.root->children.Set("s", inner);
  module.root->children.Set("l", MakeLinear(0.25f));
  Node* value = module.graph.Append(Op::kPlaceholder, "x");
  for (const char* name : {"a", "s", "l"}) {
    value = module.graph.Append(Op::kCallModule, name, {value});
    module.scopes[name] = {name, module.FindModule(name)->type};
  }
  module.graph.Append(Op::kOutput, "output", {value});
  return module;
}

// A class of its own with the graph x -> l (Linear) -> r (ReLU).
std::shared_ptr<Module> LinearRelu() {
  GraphModule graph;
  graph.root->children.Set("l", MakeLinear(0.75f));
  graph.root->children.Set("r", ModuleOf("torch.nn.ReLU"));
  Node* x = graph.graph.Append(Op::kPlaceholder, "x");
  Node* l = graph.graph.Append(Op::kCallModule, "l", {x});
  Node* r = graph.graph.Append(Op::kCallModule, "r", {l});
  graph.graph.Append(Op::kOutput, "output", {r});
  graph.scopes["l"] = {"l", "torch.nn.Linear"};
  graph.scopes["r"] = {"r", "torch.nn.ReLU"};
  auto module = ModuleOf("Sub");
  module->state = std::make_shared<OwnedGraph>(std::move(graph));
  return module;
}

std::shared_ptr<const BackendConfig> Native() {
  return std::make_shared<BackendConfig>(BuiltInBackendConfig("native"));
}

std::vector<std::string> Names(GraphModule& module) {
  std::vector<std::string> names;
  for (const Node* node : module.graph.NodePointers()) names.push_back(node->name());
  return names;
}

Tensor Input() {
  return Tensor::FromVector<float>(DType::kFloat32, {2, 2}, {-1.0f, 0.5f, 2.0f, 1.0f});
}

PrepareCustomConfig QuantizedStandalone() {
  PrepareCustomConfig inner;
  inner.input_quantized_indexes = inner.output_quantized_indexes = {0};
  PrepareCustomConfig config;
  StandaloneModule standalone;
  standalone.prepare_custom_config = std::make_shared<PrepareCustomConfig>(inner);
  config.standalone_module_names.Set("s", standalone);
  return config;
}

TEST(Standalone, KeepsQuantizedInputAndOutput) {
  PrepareOptions options;
  options.custom_config = QuantizedStandalone();
  Prepared prepared =
      PrepareFx(Model(LinearRelu()), MinMaxEverywhere(), Native(), options);
  EXPECT_EQ(Names(prepared.module),
            (std::vector<std::string>{"x", "activation_post_process_0", "a",
                                      "activation_post_process_1", "s", "l",
                                      "activation_post_process_2", "output"}));
  GraphModule* inner = SubgraphOf(*prepared.module.FindModule("s"));
  ASSERT_NE(inner, nullptr);
  EXPECT_EQ(Names(*inner),
            (std::vector<std::string>{"x", "l", "activation_post_process_0", "output"}));

  const Prepared copy = prepared.Clone();
  RunObserved(prepared.module, {Input()});
  GraphModule converted = ConvertToReference(prepared);
  EXPECT_EQ(Names(converted),
            (std::vector<std::string>{
                "x", "a_input_scale_0", "a_input_zero_point_0", "quantize_per_tensor",
                "dequantize", "a", "a_scale_0", "a_zero_point_0", "quantize_per_tensor_1",
                "s", "dequantize_2", "l", "l_scale_0", "l_zero_point_0",
                "quantize_per_tensor_2", "dequantize_3", "output"}));
  EXPECT_EQ(converted.FindModule("s")->type, kGraphModuleType);
  GraphModule* quantized = SubgraphOf(*converted.FindModule("s"));
  ASSERT_NE(quantized, nullptr);
  EXPECT_EQ(Names(*quantized), (std::vector<std::string>{
                                   "x", "dequantize", "l", "l_scale_0", "l_zero_point_0",
                                   "quantize_per_tensor", "output"}));
  const Value y = Interpreter(converted).Run({Input()});
  EXPECT_EQ(y.As<Tensor>()->shape(), (Shape{2, 2}));

  // The copy from before has observed nothing.
  const Prepared* untouched = ObservedStandaloneOf(*copy.module.FindModule("s"));
  ASSERT_NE(untouched, nullptr);
  const auto observer =
      ObserverOf(untouched->module.FindModule("activation_post_process_0"));
  EXPECT_EQ(ScaleValue(observer->CalculateQparams()), 1.0);
}

TEST(Standalone, RefusesWhatTorchRefuses) {
  PrepareOptions options;
  options.custom_config = QuantizedStandalone();
  // A class whose forward nobody knows.
  EXPECT_THROW(PrepareFx(Model(ModuleOf("Sub")), MinMaxEverywhere(), Native(), options),
               InputError);
  // More than one value returned.
  const std::shared_ptr<Module> module = LinearRelu();
  Graph& graph = SubgraphOf(*module)->graph;
  Node* output = graph.OutputNode();
  output->set_args({Argument::Tuple({output->args()[0], output->args()[0]})});
  EXPECT_THROW(PrepareFx(Model(module), MinMaxEverywhere(), Native(), options),
               PipelineError);
}

TEST(CustomModule, AbsorbsItsObservers) {
  PrepareOptions options;
  options.custom_config.static_observed_classes.Set("Float", "Observed");
  GraphModule model = Model(MakeLinear(1.0f));
  model.FindModule("s")->type = "Float";
  // The observed class runs as the linear that it is.
  options.custom_observations.Set("Observed", [](const Module& module, const QConfig&) {
    std::shared_ptr<Module> observed = module.Clone();
    observed->type = "Observed";
    return observed;
  });
  const Prepared prepared = PrepareFx(model, MinMaxEverywhere(), Native(), options);
  EXPECT_EQ(prepared.module.FindModule("s")->type, "Observed");

  ConvertOptions convert;
  convert.custom_config.static_quantized_classes.Set("Observed", "Quantized");
  GraphModule converted = ConvertToReference(prepared, convert);
  EXPECT_EQ(Names(converted),
            (std::vector<std::string>{
                "x", "a_input_scale_0", "a_input_zero_point_0", "quantize_per_tensor",
                "dequantize", "a", "a_scale_0", "a_zero_point_0", "quantize_per_tensor_1",
                "s", "dequantize_2", "l", "l_scale_0", "l_zero_point_0",
                "quantize_per_tensor_2", "dequantize_3", "output"}));
  const std::shared_ptr<Module> quantized = converted.FindModule("s");
  EXPECT_EQ(quantized->type, "Quantized");
  EXPECT_TRUE(quantized->attributes.Contains("scale"));

  convert.custom_config = {};
  convert.custom_config.dynamic_quantized_classes.Set("Observed", "Quantized");
  EXPECT_THROW(ConvertToReference(prepared, convert), PipelineError);
}

TEST(CustomConfig, PreservesAttributes) {
  GraphModule model = Model(ModuleOf("torch.nn.ReLU"));
  model.root->buffers.Set("kept", Tensor(DType::kFloat32, {1}));
  model.root->buffers.Set("dropped", Tensor(DType::kFloat32, {1}));
  PrepareOptions options;
  options.custom_config.preserved_attributes = {"kept", "absent"};
  const Prepared prepared = PrepareFx(model, MinMaxEverywhere(), Native(), options);
  EXPECT_NE(prepared.module.FindTensor("kept"), nullptr);
  EXPECT_EQ(prepared.module.FindTensor("dropped"), nullptr);
  // convert has a list of its own.
  EXPECT_EQ(ConvertToReference(prepared).FindTensor("kept"), nullptr);
  ConvertOptions convert;
  convert.custom_config.preserved_attributes = {"kept"};
  EXPECT_NE(ConvertToReference(prepared, convert).FindTensor("kept"), nullptr);
}

// A preset None prevents the swap, though the operator is observed all the same.
TEST(PresetQConfig, DecidesTheSwapForQat) {
  GraphModule model = Model(ModuleOf("torch.nn.ReLU"));
  model.root->training = true;
  model.FindModule("l")->attributes.Set("qconfig", Argument());
  QConfigMapping mapping;
  mapping.global = NamedQConfig("default_qat_qconfig");
  PrepareOptions options;
  options.is_qat = true;
  const Prepared prepared = PrepareFx(model, mapping, Native(), options);
  const std::shared_ptr<Module> kept = prepared.module.FindModule("l");
  EXPECT_EQ(kept->type, "torch.nn.Linear");
  EXPECT_FALSE(kept->attributes.Contains("qconfig"));
  EXPECT_EQ(prepared.observed_node_names.count("l"), 1u);
  EXPECT_EQ(prepared.module.FindModule("a")->type,
            "torch.ao.nn.intrinsic.qat.LinearReLU");
}

}  // namespace
}  // namespace qconform
