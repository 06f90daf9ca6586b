#include "reference/pt2e/convert_pt2e.h"

#include <gtest/gtest.h>

#include "reference/observe/calibrate.h"
#include "reference/pt2e/exported_mode.h"
#include "reference/pt2e/test_program.h"

namespace qconform {
namespace {

std::vector<std::string> Names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) names.push_back(node.name());
  return names;
}

using NameList = std::vector<std::string>;

QuantizationSpecPointer Weight() {
  QuantizationSpec spec;
  spec.dtype = DType::kInt8;
  spec.quant_min = -127;
  spec.quant_max = 127;
  spec.qscheme = QScheme::kPerTensorSymmetric;
  spec.observer = ObserverConstructor("MinMaxObserver");
  return MakeSpec(spec);
}

// conv(x, w, b) without a bias where `has_bias` is not set, then batch_norm.
TestProgram ConvBatchNorm(bool has_bias, bool training) {
  TestProgram test;
  Node* weight = test.Parameter("weight", Floats({1, 1, 1, 1}, {2}));
  Argument bias;
  if (has_bias) bias = test.Parameter("bias", Floats({1}, {0.5f}));
  Node* gamma = test.Parameter("gamma", Floats({1}, {3}));
  Node* beta = test.Parameter("beta", Floats({1}, {1}));
  Node* mean = test.Parameter("mean", Floats({1}, {0.25f}));
  Node* variance = test.Parameter("variance", Floats({1}, {4}));
  Node* x = test.Input("x", {1, 1, 1, 2});
  Node* conv =
      test.Call("aten.conv2d.default", {x, weight, bias}, "conv2d", {1, 1, 1, 2});
  Node* norm = test.Call("aten.batch_norm.default",
                         {conv, gamma, beta, mean, variance, training, 0.1, 1e-5, true},
                         "batch_norm", {1, 1, 1, 2});
  test.Output(norm);
  return test;
}

AnnotateWith ConvQuantizer() {
  return AnnotateWith([](const ExportedProgram& program, Annotations& annotations) {
    for (const Node& node : program.module.graph.nodes()) {
      if (node.target() != "aten.conv2d.default") continue;
      annotations[node].SetInput(*node.args()[0].AsNode(), Int8());
      annotations[node].SetInput(*node.args()[1].AsNode(), Weight());
      annotations[node].annotated = true;
    }
  });
}

// torchao: the same names for the same program.
TEST(ConvertPt2eTest, BatchNormIsFoldedAndWeightsAreFrozen) {
  AnnotateWith quantizer = ConvQuantizer();
  PreparedProgram prepared =
      PreparePt2e(std::move(ConvBatchNorm(false, false).program), quantizer);
  RunObserved(prepared.program.module, {Floats({1, 1, 1, 2}, {-1, 1})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  const GraphModule& module = converted.program.module;
  EXPECT_EQ(Names(module.graph),
            (NameList{"quantize_per_tensor_default", "dequantize_per_tensor_default", "x",
                      "quantize_per_tensor_default_1", "dequantize_per_tensor_default_1",
                      "weight_bias", "conv2d", "output"}));
  const Node& frozen = *module.graph.Find("quantize_per_tensor_default");
  EXPECT_EQ(frozen.op(), Op::kGetAttr);
  EXPECT_EQ(frozen.target(), "_frozen_param0");
  EXPECT_EQ(module.FindTensor("_frozen_param0")->dtype(), DType::kInt8);
  EXPECT_EQ(module.FindTensor("_frozen_param0")->IntegerAt(0), 127);
  // (0 - 0.25) * 3 / sqrt(4 + 1e-5) + 1
  EXPECT_NEAR(module.FindTensor("weight_bias")->ValueAt(0), 0.625, 1e-5);
  EXPECT_EQ(module.FindTensor("weight"), nullptr);
}

TEST(ConvertPt2eTest, WithoutFoldingTheWeightIsQuantizedInTheGraph) {
  AnnotateWith quantizer = ConvQuantizer();
  PreparedProgram prepared =
      PreparePt2e(std::move(ConvBatchNorm(true, false).program), quantizer);
  RunObserved(prepared.program.module, {Floats({1, 1, 1, 2}, {-1, 1})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared), {false});
  const GraphModule& module = converted.program.module;
  EXPECT_EQ(module.graph.Find("quantize_per_tensor_default")->op(), Op::kCallFunction);
  EXPECT_NE(module.FindTensor("weight"), nullptr);
}

// The rewrite of prepare, the way back in convert, and the names of torchao on it.
TEST(ConvertPt2eTest, QatBatchNormIsFoldedIntoTheQuantizedWeight) {
  for (const bool has_bias : {true, false}) {
    AnnotateWith quantizer = ConvQuantizer();
    PreparedProgram prepared =
        PrepareQatPt2e(std::move(ConvBatchNorm(has_bias, true).program), quantizer);
    const Graph& graph = prepared.program.module.graph;
    EXPECT_EQ(graph.Find("conv2d"), nullptr);
    const Node* conv = graph.Find("conv2d_1");
    ASSERT_NE(conv, nullptr);
    EXPECT_EQ(conv->args()[1].AsNode()->args()[0].AsNode()->name(), "mul");
    EXPECT_EQ(conv->args()[2].IsNone(), !has_bias);
    ASSERT_EQ(prepared.groups.size(), 2u);
    EXPECT_EQ(ToText(prepared.groups[1].place), "mul -> conv2d_1");
    RunObserved(prepared.program.module, {Floats({1, 1, 1, 2}, {-1, 1})});
    MoveToEvaluation(prepared.program);
    const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
    const GraphModule& module = converted.program.module;
    EXPECT_EQ(module.graph.Find("conv2d_2")->users()[0]->name(), "output");
    EXPECT_EQ(module.graph.Find("quantize_per_tensor")->target(), "_frozen_param0");
    for (const Node& node : module.graph.nodes()) {
      EXPECT_NE(node.target(), "aten.batch_norm.default");
    }
  }
}

// The model's eps is 1: torchao scales by sqrt(4 + 1e-5) all the same.
TEST(ConvertPt2eTest, QatFixesEpsilonInTorchMode) {
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    TestProgram test = ConvBatchNorm(true, true);
    test.program.module.graph.Find("batch_norm")->set_arg(7, 1.0);
    AnnotateWith quantizer = ConvQuantizer();
    const PreparedProgram prepared =
        PrepareQatPt2e(std::move(test.program), quantizer, mode);
    EXPECT_EQ(prepared.program.module.graph.Find("add")->args()[1],
              Argument(mode == Mode::kTorch ? 1e-5 : 1.0));
  }
}

TEST(ConvertPt2eTest, ConvolutionThatIsReadElsewhereKeepsItsBatchNormInStrictMode) {
  for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
    TestProgram test = ConvBatchNorm(true, false);
    Graph& graph = test.program.module.graph;
    Node* norm = graph.Find("batch_norm");
    Node* sum = graph.InsertAfter(norm, Op::kCallFunction, "aten.add.Tensor",
                                  {norm, graph.Find("conv2d")}, {}, "sum");
    graph.OutputNode()->set_args({Argument::Tuple({sum})});
    AnnotateWith nothing([](const ExportedProgram&, Annotations&) {});
    const PreparedProgram prepared = PreparePt2e(std::move(test.program), nothing, mode);
    EXPECT_EQ(prepared.program.module.graph.Find("batch_norm") == nullptr,
              mode == Mode::kTorch);
    ASSERT_EQ(prepared.warnings.size(), 1u);
    EXPECT_TRUE(prepared.warnings[0].starts_with("'batch_norm' follows 'conv2d'"));
  }
}

// x is read by two annotated nodes and one that is not.
TEST(ConvertPt2eTest, EveryAnnotatedReaderGetsADequantizeOfItsOwn) {
  TestProgram test;
  Node* x = test.Input("x", {2});
  Node* a = test.Call("aten.relu.default", {x}, "a", {2});
  Node* b = test.Call("aten.sigmoid.default", {a}, "b", {2});
  Node* c = test.Call("aten.tanh.default", {a}, "c", {2});
  Node* d = test.Call("aten.neg.default", {a}, "d", {2});
  test.program.module.graph.Append(Op::kOutput, "output", {Argument::Tuple({b, c, d})},
                                   {}, "output");
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    annotations[*a].output = Int8();
    annotations[*b].SetInput(*a, Int8());
    annotations[*c].SetInput(*a, Int8());
  });
  PreparedProgram prepared = PreparePt2e(std::move(test.program), quantizer);
  RunObserved(prepared.program.module, {Floats({2}, {-1, 1})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  const Graph& graph = converted.program.module.graph;
  const auto read_by = [&](const char* node) {
    return graph.Find(node)->args()[0].AsNode()->name();
  };
  EXPECT_EQ(read_by("b"), "dequantize_per_tensor_default_1");
  EXPECT_EQ(read_by("c"), "dequantize_per_tensor_default_2");
  EXPECT_EQ(read_by("d"), "dequantize_per_tensor_default");
}

// An int8 output and a uint8 input of one tensor: two observers in series.
TEST(ConvertPt2eTest, SpecsThatDifferAlongAnEdgeAreAppliedInSeries) {
  TestProgram test;
  Node* x = test.Input("x", {2});
  Node* a = test.Call("aten.relu.default", {x}, "a", {2});
  Node* b = test.Call("aten.sigmoid.default", {a}, "b", {2});
  test.Output(b);
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    annotations[*a].output = Int8();
    QuantizationSpec spec = *As<QuantizationSpec>(Int8());
    spec.dtype = DType::kUInt8;
    spec.quant_min = 0;
    spec.quant_max = 255;
    annotations[*b].SetInput(*a, MakeSpec(spec));
  });
  PreparedProgram prepared = PreparePt2e(std::move(test.program), quantizer);
  const Node& input = *prepared.program.module.graph.Find("b")->args()[0].AsNode();
  EXPECT_EQ(input.name(), "activation_post_process_1");
  EXPECT_EQ(input.args()[0].AsNode()->name(), "activation_post_process_0");
}

TEST(ConvertPt2eTest, NodeAmongKeywordsIsRefused) {
  TestProgram test;
  Node* x = test.Input("x", {2});
  Node* a = test.program.module.graph.Append(Op::kCallFunction, "aten.add.Tensor", {x},
                                             {{"other", x}}, "a");
  test.Output(a);
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    annotations[*a].SetInput(*x, Int8());
  });
  const std::string refusal =
      RefusalOf([&] { PreparePt2e(std::move(test.program), quantizer); });
  EXPECT_TRUE(refusal.starts_with("AssertionError: Kwarg 'other' of 'a'")) << refusal;
}

// A program of one node, its input quantized by `spec`: the quantize node's bounds, or
// how torchao refuses it.
std::string BoundsOrRefusal(const QuantizationSpecPointer& spec, Mode mode) {
  TestProgram test;
  Node* x = test.Input("x", {2});
  Node* a = test.Call("aten.relu.default", {x}, "a", {2});
  test.Output(a);
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    annotations[*a].SetInput(*x, spec);
  });
  std::string bounds;
  const std::string refusal = RefusalOf([&] {
    PreparedProgram prepared = PreparePt2e(std::move(test.program), quantizer, mode);
    RunObserved(prepared.program.module, {Floats({2}, {-1, 1})});
    const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
    const Node* quantize =
        converted.program.module.graph.Find("quantize_per_tensor_default");
    for (const size_t i : {3, 4}) {
      const int64_t* bound = quantize->args()[i].As<int64_t>();
      bounds += (bound == nullptr ? "None" : std::to_string(*bound)) + " ";
    }
  });
  return refusal.empty() ? bounds : refusal.substr(0, refusal.find(':'));
}

TEST(ConvertPt2eTest, SettingsThatASpecLeavesOpen) {
  QuantizationSpec open;
  open.dtype = DType::kInt8;
  for (const char* observer : {"MinMaxObserver", "HistogramObserver",
                               "PerChannelMinMaxObserver", "FakeQuantize"}) {
    open.observer = ObserverConstructor(observer);
    EXPECT_EQ(BoundsOrRefusal(MakeSpec(open), Mode::kTorch), "NotImplementedError")
        << observer;
  }
  open.observer = ObserverConstructor("MinMaxObserver");
  EXPECT_EQ(BoundsOrRefusal(MakeSpec(open), Mode::kStrict), "-128 127 ");
  open.qscheme = QScheme::kPerTensorAffine;
  EXPECT_EQ(BoundsOrRefusal(MakeSpec(open), Mode::kTorch), "-128 127 ");
  open.observer = ObserverConstructor("PlaceholderObserver");
  EXPECT_EQ(BoundsOrRefusal(MakeSpec(open), Mode::kTorch), "Exception");

  FixedQParamsQuantizationSpec fixed;
  fixed.dtype = DType::kUInt8;
  fixed.scale = 0x1p-8;
  EXPECT_EQ(BoundsOrRefusal(MakeSpec(fixed), Mode::kTorch), "None None ");
  EXPECT_EQ(BoundsOrRefusal(MakeSpec(fixed), Mode::kStrict), "0 255 ");
}

// int32 bias of scale input * weight.
TEST(ConvertPt2eTest, DerivedBiasHasTheProductOfTheScales) {
  TestProgram test;
  Node* weight = test.Parameter("weight", Floats({2, 1}, {1, 0.5f}));
  Node* bias = test.Parameter("bias", Floats({2}, {1, 2}));
  Node* x = test.Input("x", {1, 1});
  Node* linear = test.Call("aten.linear.default", {x, weight, bias}, "linear", {1, 2});
  test.Output(linear);
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    QuantizationSpec per_channel = *As<QuantizationSpec>(Weight());
    per_channel.qscheme = QScheme::kPerChannelSymmetric;
    per_channel.ch_axis = 0;
    per_channel.observer = ObserverConstructor("PerChannelMinMaxObserver");
    DerivedQuantizationSpec derived;
    derived.derived_from = {EdgeOrNode::Edge(*x, *linear),
                            EdgeOrNode::Edge(*weight, *linear)};
    derived.derive_function = "scale_product";
    derived.quant_min = -2147483648LL;
    derived.quant_max = 2147483647;
    derived.qscheme = QScheme::kPerChannelSymmetric;
    derived.ch_axis = 0;
    annotations[*linear].SetInput(*x, Int8());
    annotations[*linear].SetInput(*weight, MakeSpec(per_channel));
    annotations[*linear].SetInput(*bias, MakeSpec(derived));
  });
  PreparedProgram prepared = PreparePt2e(std::move(test.program), quantizer);
  RunObserved(prepared.program.module, {Floats({1, 1}, {255})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  const GraphModule& module = converted.program.module;
  // Activations have scale 1, weights 1 / 127 and 0.5 / 127.
  const Tensor& codes = *module.FindTensor("_frozen_param1");
  EXPECT_EQ(codes.dtype(), DType::kInt32);
  EXPECT_EQ(codes.IntegerAt(0), 127);
  EXPECT_EQ(codes.IntegerAt(1), 508);
}

}  // namespace
}  // namespace qconform
