#include <gtest/gtest.h>

#include <algorithm>

#include "reference/backends/backends.h"
#include "reference/ir/error.h"
#include "reference/native/lower_to_native.h"
#include "reference/native/packed_weights.h"
#include "reference/observe/calibrate.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

Tensor Floats(Shape shape, const std::vector<float>& values) {
  return Tensor::FromVector<float>(DType::kFloat32, std::move(shape), values);
}

std::shared_ptr<Module> LinearOf(const std::vector<float>& weight) {
  auto linear = std::make_shared<Module>();
  linear->type = "torch.nn.Linear";
  linear->attributes = {{"in_features", 2}, {"out_features", 1}};
  linear->parameters.Set("weight", Floats({1, 2}, weight));
  linear->parameters.Set("bias", Floats({1}, {0.5f}));
  return linear;
}

Prepared Calibrated(const GraphModule& module) {
  Prepared prepared =
      PrepareFx(module, MinMaxEverywhere(),
                std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")));
  RunObserved(prepared.module, {Floats({1, 2}, {-1.0f, 2.0f})});
  return prepared;
}

std::vector<std::string> Targets(const GraphModule& module) {
  std::vector<std::string> targets;
  for (const Node& node : module.graph.nodes()) targets.push_back(node.target());
  return targets;
}

// linear(x) + 3
GraphModule LinearPlusNumber() {
  GraphModule module;
  module.root->children.Set("fc", LinearOf({1.0f, -0.5f}));
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* fc = module.graph.Append(Op::kCallModule, "fc", {x});
  Node* sum = module.graph.Append(Op::kCallFunction, "operator.add", {fc, 3});
  module.graph.Append(Op::kOutput, "output", {sum});
  return module;
}

// relu(conv_transpose1d(x)): the engine's operator has no form with a relu, and under a
// zero point above the least code it would let negative values through.
TEST(LowerToNative, AReluThatIsNeededStaysInStrictMode) {
  const auto lowered = [](int64_t zero_point, Mode mode) {
    GraphModule module;
    module.SetBuffer("scale", Floats({}, {0.5f}));
    module.SetBuffer("zero", Tensor::FromVector<int64_t>(DType::kInt64, {}, {0}));
    module.SetBuffer("last",
                     Tensor::FromVector<int64_t>(DType::kInt64, {}, {zero_point}));
    module.SetBuffer("weight", Floats({1, 1, 1}, {1}));
    Graph& graph = module.graph;
    const auto quantized = [&](Node* value, const char* zero, DType dtype) {
      Node* scale = graph.Append(Op::kGetAttr, "scale");
      Node* point = graph.Append(Op::kGetAttr, zero);
      Node* codes = graph.Append(Op::kCallFunction, "torch.quantize_per_tensor",
                                 {value, scale, point, dtype});
      return graph.Append(Op::kCallMethod, "dequantize", {codes});
    };
    Node* x = quantized(graph.Append(Op::kPlaceholder, "x"), "zero", DType::kQUInt8);
    Node* weight = quantized(graph.Append(Op::kGetAttr, "weight"), "zero", DType::kQInt8);
    const Argument one = Argument::List({Argument(1)});
    const Argument none = Argument::List({Argument(0)});
    Node* conv = graph.Append(Op::kCallFunction, "torch.nn.functional.conv_transpose1d",
                              {x, weight, Argument(), one, none, none, 1, one});
    Node* relu = graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {conv},
                              {{"inplace", false}});
    graph.Append(Op::kOutput, "output", {quantized(relu, "last", DType::kQUInt8)});
    const std::vector<std::string> targets =
        Targets(LowerToNative(std::move(module), {}, "x86", mode));
    return std::count(targets.begin(), targets.end(), "quantized.conv_transpose1d");
  };
  EXPECT_EQ(lowered(10, Mode::kTorch), 1);
  EXPECT_EQ(lowered(0, Mode::kStrict), 1);
  EXPECT_EQ(lowered(10, Mode::kStrict), 0);
}

// relu6 of quint8, whose elements QNNPACK permutes where they are channels last.
TEST(LowerToNative, AClampOfQnnpackStaysInFloatInStrictMode) {
  const auto lowered = [](DType dtype, const char* engine, Mode mode) {
    GraphModule module;
    module.SetBuffer("scale", Floats({}, {0.5f}));
    module.SetBuffer("zero", Tensor::FromVector<int64_t>(DType::kInt64, {}, {0}));
    Graph& graph = module.graph;
    const auto quantized = [&](Node* value) {
      Node* scale = graph.Append(Op::kGetAttr, "scale");
      Node* point = graph.Append(Op::kGetAttr, "zero");
      Node* codes = graph.Append(Op::kCallFunction, "torch.quantize_per_tensor",
                                 {value, scale, point, dtype});
      return graph.Append(Op::kCallMethod, "dequantize", {codes});
    };
    Node* x = quantized(graph.Append(Op::kPlaceholder, "x"));
    Node* relu6 = graph.Append(Op::kCallFunction, "torch.nn.functional.relu6", {x});
    graph.Append(Op::kOutput, "output", {quantized(relu6)});
    const std::vector<std::string> targets =
        Targets(LowerToNative(std::move(module), {}, engine, mode));
    return std::count(targets.begin(), targets.end(), "dequantize") == 1;
  };
  EXPECT_TRUE(lowered(DType::kQUInt8, "qnnpack", Mode::kTorch));
  EXPECT_FALSE(lowered(DType::kQUInt8, "qnnpack", Mode::kStrict));
  EXPECT_TRUE(lowered(DType::kQInt8, "qnnpack", Mode::kStrict));
  EXPECT_TRUE(lowered(DType::kQUInt8, "fbgemm", Mode::kStrict));
}

// fc(fc(x)), whose two results have other ranges.
TEST(LowerToNative, EveryCallHasItsOutputScaleInStrictMode) {
  auto fc = std::make_shared<Module>();
  fc->type = "torch.nn.Linear";
  fc->attributes = {{"in_features", 1}, {"out_features", 1}};
  fc->parameters.Set("weight", Floats({1, 1}, {2}));
  fc->parameters.Set("bias", std::nullopt);
  GraphModule module;
  module.SetModule("fc", fc);
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* once = module.graph.Append(Op::kCallModule, "fc", {x});
  Node* twice = module.graph.Append(Op::kCallModule, "fc", {once});
  module.graph.Append(Op::kOutput, "output", {twice});
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    PrepareOptions options;
    options.mode = mode;
    Prepared prepared =
        PrepareFx(module, MinMaxEverywhere(),
                  std::make_shared<BackendConfig>(BuiltInBackendConfig("x86")), options);
    RunObserved(prepared.module, {Floats({1, 1}, {255})});
    ConvertOptions convert;
    convert.mode = mode;
    const GraphModule lowered = ConvertToNative(prepared, convert);
    const std::shared_ptr<Module> first = lowered.FindModule("fc");
    EXPECT_EQ(first->Real("scale", 0), mode == Mode::kTorch ? 4 : 2);
    const std::shared_ptr<Module> second = lowered.FindModule("fc_1");
    EXPECT_EQ(second != nullptr, mode == Mode::kStrict);
    if (second != nullptr) EXPECT_EQ(second->Real("scale", 0), 4);
  }
}

TEST(LowerToNative, LinearBecomesAQuantizedModule) {
  const GraphModule lowered = ConvertToNative(Calibrated(LinearPlusNumber()));
  EXPECT_EQ(Targets(lowered),
            (std::vector<std::string>{"x", "_input_scale_0", "_input_zero_point_0",
                                      "torch.quantize_per_tensor", "fc", "quantized.add",
                                      "dequantize", "output"}));
  const std::shared_ptr<Module> fc = lowered.FindModule("fc");
  ASSERT_NE(fc, nullptr);
  EXPECT_EQ(fc->type, "torch.ao.nn.quantized.Linear");
  // 1 / 127.5 a step: 1 -> 127 (127.5 rounds to 128, beyond the dtype), -0.5 -> -64.
  const Tensor* weight = lowered.FindTensor("fc._packed_params.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->IntegerAt(0), 127);
  EXPECT_EQ(weight->IntegerAt(1), -64);
}

// torch.ops.quantized.add of a number chooses its own parameters.
TEST(LowerToNative, ANumberTakesNoOutputParameters) {
  const GraphModule lowered = ConvertToNative(Calibrated(LinearPlusNumber()));
  const Node* add = lowered.graph.Find("add_1");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->target(), "quantized.add");
  EXPECT_EQ(add->args().size(), 2u);
}

// torch.fx gives no name a second time; a copy of the graph would.
TEST(LowerToNative, NamesOfErasedNodesStayTaken) {
  GraphModule module = LinearPlusNumber();
  Node* fc = module.graph.Find("fc");
  module.graph.InsertAfter(fc, Op::kCallFunction, "operator.add", {fc, 1});
  const GraphModule lowered = ConvertToNative(Calibrated(module));
  EXPECT_EQ(lowered.graph.Find("add"), nullptr);
  EXPECT_EQ(lowered.graph.Find("add_1"), nullptr);
  EXPECT_NE(lowered.graph.Find("add_2"), nullptr);
}

TEST(LowerToNative, FunctionalWeightIsPacked) {
  GraphModule module;
  module.root->parameters.Set("w", Floats({1, 2}, {1.0f, -0.5f}));
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* w = module.graph.Append(Op::kGetAttr, "w");
  Node* linear =
      module.graph.Append(Op::kCallFunction, "torch.nn.functional.linear", {x, w});
  module.graph.Append(Op::kOutput, "output", {linear});
  const GraphModule lowered = ConvertToNative(Calibrated(module));
  EXPECT_EQ(Targets(lowered),
            (std::vector<std::string>{"x", "_input_scale_0", "_input_zero_point_0",
                                      "torch.quantize_per_tensor", "_packed_weight_0",
                                      "_scale_1", "_zero_point_1", "quantized.linear",
                                      "dequantize", "output"}));
  EXPECT_NE(lowered.FindTensor("_packed_weight_0.weight"), nullptr);
  EXPECT_EQ(lowered.FindTensor("w"), nullptr);
}

TEST(LowerToNative, WeightByKeywordIsRefused) {
  GraphModule module;
  module.root->parameters.Set("w", Floats({1, 2}, {1.0f, -0.5f}));
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* w = module.graph.Append(Op::kGetAttr, "w");
  Node* linear = module.graph.Append(Op::kCallFunction, "torch.nn.functional.linear", {x},
                                     {{"weight", w}});
  module.graph.Append(Op::kOutput, "output", {linear});
  try {
    ConvertToNative(Calibrated(module));
    FAIL() << "no refusal";
  } catch (const PipelineError& error) {
    EXPECT_EQ(error.kind(), "AssertionError");
  }
}

TEST(LowerToNative, UnknownEngine) {
  EXPECT_THROW(LowerToNative(GraphModule(), {}, "tensorrt"), InputError);
}

TEST(PackedWeights, EnginesRefuseWhatTheyCannotTake) {
  Tensor weight(DType::kQInt8, {2, 2, 3, 3});
  weight.set_quantization({{0.1}, {3.0}, -1});
  const auto kind = PackedKind::kConvolution;
  EXPECT_NO_THROW(PackedBias(kind, weight, std::nullopt, 1, "fbgemm"));
  EXPECT_THROW(PackedBias(kind, weight, std::nullopt, 1, "onednn"), PipelineError);
  weight.set_quantization({{0.1, 0.2}, {0.0, 0.0}, 1});
  EXPECT_THROW(
      PackedBias(PackedKind::kTransposedConvolution, weight, std::nullopt, 1, "x86"),
      PipelineError);
  EXPECT_NO_THROW(
      PackedBias(PackedKind::kTransposedConvolution, weight, std::nullopt, 1, "qnnpack"));
  try {
    PackedBias(kind, Tensor(DType::kFloat16, {2, 2}), std::nullopt, 1, "fbgemm");
    FAIL() << "no refusal";
  } catch (const PipelineError& error) {
    EXPECT_EQ(error.kind(), "NotImplementedError");
  }
}

}  // namespace
}  // namespace qconform
