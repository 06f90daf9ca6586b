// What convert does in torch mode and in strict mode: both values of each case.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/convert/conversion_difference.h"
#include "reference/convert/data_difference.h"
#include "reference/convert/reference_module.h"
#include "reference/convert/test_model.h"
#include "reference/ir/expect_error.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

const ObserverConstructor kActivation("MinMaxObserver",
                                      {{"dtype", DType::kQUInt8}});  // NOLINT
const ObserverConstructor kWeight(                                   // NOLINT
    "MinMaxObserver",
    {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_tensor_symmetric"}});
const ObserverConstructor kChannelWeight(  // NOLINT
    "PerChannelMinMaxObserver",
    {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_channel_symmetric"}});

// The sum of each 3 x 3 window over [1 .. 9]; the corner sees 0 or the reflected values.
TEST(ConversionModes, PaddingMode) {
  const GraphModule model =
      Chain({Conv2d("torch.nn.Conv2d", RealTensor({1, 1, 3, 3}, std::vector<float>(9, 1)),
                    1, "reflect")});
  const Tensor x = RealTensor({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(OutputOf(model, x).ValueAt(0), 33);
  for (const Mode mode : kModes) {
    const Prepared prepared =
        Calibrated(model, Everywhere(kActivation, kWeight), {x}, mode);
    EXPECT_TRUE(HasKind(ConversionDifferences(prepared), "padding_mode_ignored"));
    for (const bool is_decomposed : {false, true}) {
      const GraphModule converted = Converted(prepared, is_decomposed);
      // Half a step of the output's scale, 49 / 255, and what the weight's rounding
      // costs.
      EXPECT_NEAR(OutputOf(converted, x).ValueAt(0), mode == Mode::kTorch ? 12 : 33, 0.5);
    }
  }
}

TEST(ConversionModes, SymmetricSchemes) {
  const GraphModule model =
      Chain({Conv2d("torch.nn.Conv2d", RealTensor({2, 1, 1, 1}, {1, -0.5f}))});
  const Tensor x = RealTensor({1, 1, 1, 1}, {1});
  for (const auto& [weight, symmetric, affine] :
       {std::tuple(&kWeight, "torch.per_tensor_symmetric", "torch.per_tensor_affine"),
        {&kChannelWeight, "torch.per_channel_symmetric", "torch.per_channel_affine"}}) {
    std::vector<std::vector<double>> outputs;
    for (const Mode mode : kModes) {
      const Prepared prepared =
          Calibrated(model, Everywhere(kActivation, *weight), {x}, mode);
      EXPECT_TRUE(HasKind(ConversionDifferences(prepared), "symmetric_scheme_lost"));
      const GraphModule converted = Converted(prepared);
      EXPECT_EQ(converted.FindModule("0")->Text("weight_qscheme", ""),
                mode == Mode::kTorch ? affine : symmetric);
      outputs.push_back(ValuesOf(OutputOf(converted, x)));
    }
    EXPECT_EQ(outputs[0], outputs[1]);  // the numbers are the same
  }
}

TEST(ConversionModes, PerChannelWeightOfATransposedConvolution) {
  // Two inputs, three outputs, whose largest weights are 1, 2 and 4.
  const Tensor weight = RealTensor({2, 3, 1, 1}, {1, 2, 4, 0.5f, 0.5f, 0.5f});
  const GraphModule model = Chain({Conv2d("torch.nn.ConvTranspose2d", weight)});
  const Tensor x = RealTensor({1, 2, 1, 1}, {1, -1});
  const QConfigMapping mapping = Everywhere(kActivation, kChannelWeight);
  EXPECT_EQ(ErrorKindOf([&] { Calibrated(model, mapping, {x}, Mode::kTorch); }),
            "AssertionError");
  // torch's own default mapping of onednn has it, too.
  EXPECT_EQ(ErrorKindOf([&] {
              PrepareFx(model, GetDefaultQConfigMapping("onednn"), BuiltIn("onednn"));
            }),
            "AssertionError");
  const Prepared prepared = Calibrated(model, mapping, {x}, Mode::kStrict);
  EXPECT_TRUE(HasKind(ConversionDifferences(prepared), "transposed_weight_axis"));
  const GraphModule converted = Converted(prepared);
  const std::shared_ptr<Module> reference = converted.FindModule("0");
  EXPECT_EQ(reference->Integer("weight_axis_int", -1), 1);
  const Tensor& scale = *reference->FindTensor("weight_scale");
  EXPECT_EQ(ValuesOf(scale),
            (std::vector<double>{1.0f / 127.5f, 2.0f / 127.5f, 4.0f / 127.5f}));
  const Tensor y = OutputOf(converted, x);
  EXPECT_NEAR(y.ValueAt(2), 3.5, 0.05);
}

TEST(ConversionModes, PerChannelWeightOfATransposedFunction) {
  GraphModule model;
  model.SetBuffer("weight", RealTensor({2, 3, 1, 1}, {1, 2, 4, 0.5f, 0.5f, 0.5f}));
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* weight = model.graph.Append(Op::kGetAttr, "weight");
  Node* y = model.graph.Append(Op::kCallFunction, "torch.nn.functional.conv_transpose2d",
                               {x, weight});
  model.graph.Append(Op::kOutput, "output", {y});
  for (const Mode mode : kModes) {
    const Prepared prepared = Calibrated(model, Everywhere(kActivation, kChannelWeight),
                                         {RealTensor({1, 2, 1, 1}, {1, -1})}, mode);
    EXPECT_TRUE(HasKind(prepared.differences, "transposed_weight_axis"));
    const GraphModule converted = Converted(prepared);
    EXPECT_EQ(CountCalls(converted, "torch.quantize_per_channel"), 1u);
    for (const Node& node : converted.graph.nodes()) {
      if (node.target() != "torch.quantize_per_channel") continue;
      EXPECT_EQ(*node.args()[3].As<int64_t>(), mode == Mode::kTorch ? 0 : 1);
      EXPECT_EQ(converted.FindTensor(node.args()[1].AsNode()->target())->numel(),
                mode == Mode::kTorch ? 2 : 3);
    }
  }
}

// A config whose pattern (Linear, F.relu) has no fuser: for engines the linear has no
// form with a relu. A symmetric zero point is 128, an affine one the least code. (torch
// computes relu(linear(-1)) = -1 with the one, 0 with the other.)
TEST(ConversionModes, AReluThatLoweringDropsIsReported) {
  const auto config = std::make_shared<BackendConfig>("test");
  BackendPatternConfig linear =
      *BuiltInBackendConfig("x86").FindSingle("torch.nn.Linear");
  config->Set(linear);
  linear.pattern = Pattern::Tuple({Pattern::Module("torch.nn.Linear"),
                                   Pattern::Function("torch.nn.functional.relu")});
  config->Set(linear);
  auto fc = ModuleOf("torch.nn.Linear");
  fc->attributes = {{"in_features", 1}, {"out_features", 1}};
  fc->parameters.Set("weight", RealTensor({1, 1}, {1}));
  fc->parameters.Set("bias", std::nullopt);
  for (const bool has_relu : {false, true}) {
    GraphModule model;
    model.SetModule("fc", fc);
    Node* value = model.graph.Append(Op::kPlaceholder, "x");
    value = model.graph.Append(Op::kCallModule, "fc", {value});
    if (has_relu) {
      value = model.graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {value});
    }
    model.graph.Append(Op::kOutput, "output", {value});
    for (const char* qscheme :
         {"torch.per_tensor_affine", "torch.per_tensor_symmetric"}) {
      const ObserverConstructor activation(
          "MinMaxObserver", {{"dtype", DType::kQUInt8}, {"qscheme", qscheme}});
      for (const Mode mode : kModes) {
        const Prepared prepared = Calibrated(model, Everywhere(activation, kWeight),
                                             {RealTensor({1, 1}, {1})}, mode, config);
        const bool is_symmetric = qscheme == std::string("torch.per_tensor_symmetric");
        EXPECT_EQ(HasKind(ConversionDifferences(prepared), "relu_dropped"),
                  has_relu && is_symmetric)
            << qscheme;
      }
    }
  }
}

// relu6(relu(conv(x))): the convolution's codes are channels last.
TEST(ConversionModes, AClampThatQnnpackPermutesIsReported) {
  for (const bool has_convolution : {false, true}) {
    GraphModule model;
    Node* value = model.graph.Append(Op::kPlaceholder, "x");
    if (has_convolution) {
      auto conv = ModuleOf("torch.nn.Conv2d");
      conv->attributes = {{"in_channels", 1}, {"out_channels", 1}, {"kernel_size", 1}};
      conv->parameters.Set("weight", RealTensor({1, 1, 1, 1}, {1}));
      conv->parameters.Set("bias", std::nullopt);
      model.SetModule("conv", conv);
      value = model.graph.Append(Op::kCallModule, "conv", {value});
    }
    for (const char* name : {"relu", "relu6"}) {
      value = model.graph.Append(Op::kCallFunction,
                                 std::string("torch.nn.functional.") + name, {value});
    }
    model.graph.Append(Op::kOutput, "output", {value});
    for (const Mode mode : kModes) {
      const Prepared prepared = Calibrated(model, Everywhere(kActivation, kWeight),
                                           {RealTensor({1, 1, 1, 1}, {1})}, mode);
      EXPECT_EQ(HasKind(ConversionDifferences(prepared), "clamp_permutes"),
                has_convolution);
    }
  }
}

// One tensor and a number, resp. two tensors.
TEST(ConversionModes, AnOperatorWithANumberIsReported) {
  for (const char* function : {"operator.add", "torch.mul"}) {
    for (const bool has_number : {false, true}) {
      GraphModule model;
      Node* x = model.graph.Append(Op::kPlaceholder, "x");
      Node* y = model.graph.Append(Op::kCallFunction, function,
                                   {x, has_number ? Argument(3) : Argument(x)});
      model.graph.Append(Op::kOutput, "output", {y});
      for (const Mode mode : kModes) {
        const Prepared prepared = Calibrated(model, Everywhere(kActivation, kWeight),
                                             {RealTensor({1, 1}, {1})}, mode);
        const ModeDifferences differences = ConversionDifferences(prepared);
        EXPECT_EQ(HasKind(differences, "own_output_scale"), has_number) << function;
        if (has_number) {
          EXPECT_EQ(differences.back().subject, "1 operator with a number");
        }
      }
    }
  }
}

// With MinMaxObserver a slope of 0.25 has scale 0.25/255, so that 1 saturates to 0.25; a
// slope of -0.5 and 2 has 2.5/255, which reaches 1.
TEST(ConversionModes, APreluThatAnEngineSaturatesIsReported) {
  const std::pair<std::vector<float>, const char*> rows[] = {
      {{0.25f}, "multiplies positive inputs by 0.25 "}, {{-0.5f, 2}, ""}, {{1}, ""}};
  for (const auto& [slopes, text] : rows) {
    auto prelu = ModuleOf("torch.nn.PReLU");
    const auto count = static_cast<int64_t>(slopes.size());
    prelu->attributes.Set("num_parameters", count);
    prelu->parameters.Set("weight", RealTensor({count}, slopes));
    const GraphModule model = Chain({prelu});
    for (const Mode mode : kModes) {
      const ModeDifferences differences =
          ConversionDifferences(Calibrated(model, Everywhere(kActivation, kActivation),
                                           {RealTensor({1, count}, slopes)}, mode));
      EXPECT_EQ(HasKind(differences, "prelu_factor_saturates"), text[0] != '\0');
      if (text[0] == '\0') continue;
      EXPECT_EQ(differences[0].torch.rfind(text, 0), 0u) << differences[0].torch;
    }
  }
}

// torch shows a layer's weights to their observers only if they are qint8.
TEST(ConversionModes, WeightsOfARecurrentLayer) {
  Module gru;
  gru.type = "torch.nn.GRU";
  gru.parameters.Set("weight_ih_l0", RealTensor({3, 1}, {0, 1, 2.55f}));
  const QConfig qconfig{kActivation, kActivation};
  for (const Mode mode : kModes) {
    const auto reference = MakeReferenceRecurrentModule(
        "torch.ao.nn.quantized.reference.GRU", gru, qconfig, false, mode);
    EXPECT_EQ(reference->FindTensor("weight_ih_l0_scale")->ValueAt(0),
              mode == Mode::kTorch ? 1.0f : 0.01f);
  }
}

TEST(ConversionModes, PlainIntegerWeightsAreRefused) {
  Module linear;
  linear.type = "torch.nn.Linear";
  linear.parameters.Set("weight", RealTensor({1, 1}, {1}));
  const ObserverConstructor plain("MinMaxObserver", {{"dtype", DType::kInt8}});
  for (const Mode mode : kModes) {
    const auto observer = MakeObserver(plain, mode);
    observer->Observe(*linear.FindTensor("weight"));
    EXPECT_EQ(ErrorKindOf([&] {
                MakeReferenceModule("torch.ao.nn.quantized.reference.Linear", linear,
                                    *observer, false, mode);
              }),
              mode == Mode::kTorch ? "" : "ValueError");
  }
}

// torch takes it from the engine; the default dynamic observer declares 0 to 255.
TEST(ConversionModes, RangeOfDynamicQuantization) {
  auto linear = ModuleOf("torch.nn.Linear");
  linear->attributes = {{"in_features", 1}, {"out_features", 1}};
  linear->parameters.Set("weight", RealTensor({1, 1}, {1}));
  linear->parameters.Set("bias", std::nullopt);
  const auto reduced = [&](int64_t quant_max, const std::string& engine, Mode mode) {
    const ObserverConstructor dynamic("PlaceholderObserver", {{"dtype", DType::kQUInt8},
                                                              {"quant_min", 0},
                                                              {"quant_max", quant_max},
                                                              {"is_dynamic", true}});
    const Prepared prepared = Calibrated(Chain({linear}), Everywhere(dynamic, kWeight),
                                         {RealTensor({1, 1}, {1})}, mode);
    EXPECT_EQ(HasKind(ConversionDifferences(prepared), "dynamic_range_of_engine"),
              quant_max == 255);
    ConvertOptions options;
    options.mode = mode;
    options.engine = engine;
    const GraphModule converted = ConvertToReference(prepared, options);
    for (const Node& node : converted.graph.nodes()) {
      if (node.target() == "torch.quantize_per_tensor_dynamic") {
        return *node.args()[2].As<bool>();
      }
    }
    ADD_FAILURE() << "no dynamic quantization";
    return false;
  };
  EXPECT_TRUE(reduced(255, "x86", Mode::kTorch));
  EXPECT_FALSE(reduced(127, "qnnpack", Mode::kTorch));
  EXPECT_FALSE(reduced(255, "x86", Mode::kStrict));
  EXPECT_TRUE(reduced(127, "qnnpack", Mode::kStrict));
}

// The scale of [0, 255] is 1, above the bound; that of [0, 51] is not.
TEST(ConversionModes, CalibratedScaleAboveItsBound) {
  BackendPatternConfig entry(Pattern::Module("torch.nn.ReLU"));
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kQUInt8);
  dtypes.output_dtype.scale_max_upper_bound = 0.5;
  entry.dtype_configs.push_back(dtypes);
  auto config = std::make_shared<BackendConfig>("bounded");
  config->Set(entry);
  const GraphModule model = Chain({ModuleOf("torch.nn.ReLU")});
  for (const Mode mode : kModes) {
    for (const float largest : {255.0f, 51.0f}) {
      const Prepared prepared = Calibrated(model, Everywhere(kActivation, kWeight),
                                           {RealTensor({2}, {0, largest})}, mode, config);
      const bool refused = largest > 100;
      EXPECT_EQ(HasKind(DataDifferences(prepared), "scale_out_of_bounds"), refused);
      EXPECT_EQ(CountCalls(Converted(prepared), "torch.quantize_per_tensor"),
                refused && mode == Mode::kStrict ? 0u : 2u);
    }
  }
}

// pytorch/pytorch#49800, microsoft/onnxruntime#23749: no scale that is not finite reaches
// the graph, and what was left out is said.
TEST(ConversionModes, CalibrationDataThatIsNotFinite) {
  const GraphModule model = Chain({ModuleOf("torch.nn.ReLU")});
  const QConfigMapping mapping = Everywhere(kActivation, kWeight);
  for (const float bad : {kNaN, kInfinity}) {
    for (const Mode mode : kModes) {
      const Prepared prepared =
          Calibrated(model, mapping, {RealTensor({3}, {0, 1, bad})}, mode);
      EXPECT_TRUE(HasKind(DataDifferences(prepared), "non_finite"));
      const GraphModule converted = Converted(prepared);
      size_t scales = 0;
      for (const Node& node : converted.graph.nodes()) {
        if (node.target() != "torch.quantize_per_tensor") continue;
        ++scales;
        const double scale =
            converted.FindTensor(node.args()[1].AsNode()->target())->ValueAt(0);
        if (mode == Mode::kTorch) {
          EXPECT_FALSE(std::isfinite(scale));
        } else {
          EXPECT_EQ(scale, 0.0039215688593685627f);
        }
      }
      EXPECT_EQ(scales, 2u);
    }
    const Prepared nothing =
        Calibrated(model, mapping, {RealTensor({2}, {bad, bad})}, Mode::kStrict);
    EXPECT_EQ(ErrorKindOf([&] { Converted(nothing); }), "ValueError");
  }
  const Prepared sound =
      Calibrated(model, mapping, {RealTensor({2}, {0, 1})}, Mode::kTorch);
  EXPECT_TRUE(DataDifferences(sound).empty());
}

TEST(ConversionModes, RangesThatTorchCannotScale) {
  const GraphModule model = Chain({ModuleOf("torch.nn.ReLU")});
  const ObserverConstructor symmetric("MinMaxObserver",
                                      {{"qscheme", "torch.per_tensor_symmetric"}});
  const auto qparams = [](const GraphModule& converted) {
    const Node* quantize = converted.graph.Find("quantize_per_tensor");
    return std::pair(
        converted.FindTensor(quantize->args()[1].AsNode()->target())->ValueAt(0),
        converted.FindTensor(quantize->args()[2].AsNode()->target())->IntegerAt(0));
  };
  for (const Mode mode : kModes) {
    const Prepared wide = Calibrated(model, Everywhere(kActivation, kWeight),
                                     {RealTensor({2}, {-3e38f, 3e38f})}, mode);
    EXPECT_TRUE(HasKind(DataDifferences(wide), "range_overflow"));
    EXPECT_EQ(std::isfinite(qparams(Converted(wide)).first), mode == Mode::kStrict);
    const Prepared empty = Calibrated(model, Everywhere(symmetric, kWeight), {}, mode);
    EXPECT_TRUE(HasKind(DataDifferences(empty), "nothing_observed"));
    EXPECT_EQ(qparams(Converted(empty)),
              (std::pair<double, int64_t>(1, mode == Mode::kStrict ? 128 : 0)));
  }
}

// "The keys must include the ones" of prepare's mapping; torch forgets the rules of
// order.
TEST(ConversionModes, ConvertsMappingMustHaveTheRulesOfOrder) {
  const GraphModule model = Chain({ModuleOf("torch.nn.ReLU")});
  QConfigMapping mapping = Everywhere(kActivation, kWeight);
  ConvertOptions options;
  options.qconfig_mapping = mapping;
  mapping.SetOrder("", "torch.nn.Linear", 3, nullptr);
  for (const Mode mode : kModes) {
    const Prepared prepared = Calibrated(model, mapping, {RealTensor({2}, {0, 1})}, mode);
    options.mode = mode;
    EXPECT_EQ(ErrorKindOf([&] { ConvertToReference(prepared, options); }),
              mode == Mode::kTorch ? "" : "AssertionError");
  }
}

}  // namespace
}  // namespace qconform
