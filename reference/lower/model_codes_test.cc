// Public bug reports about whole models, from the float graph to the codes of its
// program.
#include <gtest/gtest.h>

#include "reference/convert/test_model.h"
#include "reference/lower/lower.h"
#include "reference/lower/run_program.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};

ObserverConstructor Fixed(double scale, int64_t zero_point, DType dtype) {
  const bool is_signed = dtype == DType::kQInt8;
  return ObserverConstructor("FixedQParamsObserver",
                             {{"scale", scale},
                              {"zero_point", zero_point},
                              {"dtype", dtype},
                              {"quant_min", is_signed ? -128 : 0},
                              {"quant_max", is_signed ? 127 : 255}});
}

ObserverConstructor Weight(bool per_channel) {
  return ObserverConstructor(per_channel ? "PerChannelMinMaxObserver" : "MinMaxObserver",
                             {{"dtype", DType::kQInt8},
                              {"qscheme", per_channel ? "torch.per_channel_symmetric"
                                                      : "torch.per_tensor_symmetric"},
                              {"quant_min", -127},
                              {"quant_max", 127}});
}

// The program's operators of this kind.
std::vector<const ProgramOperator*> Operators(const Program& program,
                                              qc_operator_kind kind) {
  std::vector<const ProgramOperator*> found;
  for (const ProgramStep& step : program.steps) {
    const auto* program_operator = std::get_if<ProgramOperator>(&step);
    if (program_operator != nullptr && program_operator->kind == kind) {
      found.push_back(program_operator);
    }
  }
  return found;
}

std::vector<int64_t> CodesOf(const Tensor& tensor) {
  std::vector<int64_t> codes;
  for (int64_t i = 0; i < tensor.numel(); ++i) codes.push_back(tensor.IntegerAt(i));
  return codes;
}

// Three output channels whose largest weights are 2.54, 1.27 and 0.635, each with a bias
// of 0.7.
std::shared_ptr<Module> BiasedLayer(bool is_conv) {
  const std::vector<float> values = {2.54f, -1, 0.5f, 1.27f, -0.635f, 0.25f};
  std::shared_ptr<Module> layer;
  if (is_conv) {
    layer = Conv2d("torch.nn.Conv2d", RealTensor({3, 2, 1, 1}, values));
  } else {
    layer = ModuleOf("torch.nn.Linear");
    layer->attributes = {{"in_features", 2}, {"out_features", 3}};
    layer->parameters.Set("weight", RealTensor({3, 2}, values));
  }
  layer->parameters.Set("bias", RealTensor({3}, {0.7f, 0.7f, 0.7f}));
  return layer;
}

// pytorch/pytorch#107810, #23874: an input of zeros leaves the bias alone: 0.7 is 7 steps
// of 0.1, whatever the scales of the input (0.02, through a ReLU that shares them) and of
// the weights are.
TEST(ModelCodes, OfABiasAlone) {
  constexpr int64_t kZeroPoint = 50;
  for (const std::string config : {"x86", "qnnpack"}) {
    for (const bool is_conv : {false, true}) {
      for (const bool per_channel : {false, true}) {
        for (const Mode mode : kModes) {
          const GraphModule model =
              Chain({ModuleOf("torch.nn.ReLU"), BiasedLayer(is_conv)});
          QConfigMapping mapping =
              Everywhere(Fixed(0.02, 9, DType::kQUInt8), Weight(per_channel));
          mapping.module_name.Set(
              "1", std::make_shared<QConfig>(QConfig{
                       Fixed(0.1, kZeroPoint, DType::kQUInt8), Weight(per_channel)}));
          const Tensor x(DType::kFloat32, is_conv ? Shape{1, 2, 1, 1} : Shape{1, 2});
          const GraphModule converted =
              Converted(Calibrated(model, mapping, {x}, mode, BuiltIn(config)));
          LowerOptions options;
          options.config = config;
          const Program program = Lower(converted, {x}, options);
          const auto layers = Operators(program, is_conv ? QC_CONV : QC_LINEAR);
          ASSERT_EQ(layers.size(), 1u) << config << is_conv;
          EXPECT_EQ(layers[0]->scheme,
                    config == "x86" ? kFloatBiasSchemeName : kRoundedBiasSchemeName);
          const std::vector<Tensor> values = RunProgramValues(program, {x});
          const auto quantization = [&](int value) {
            return program.values.at(static_cast<size_t>(value)).quantization;
          };
          EXPECT_EQ(quantization(layers[0]->inputs[0])->scale[0], 0.02f);
          EXPECT_EQ(quantization(layers[0]->outputs[0])->scale[0], 0.1f);
          EXPECT_EQ(quantization(layers[0]->inputs[1])->scale.size(),
                    per_channel ? 3u : 1u);
          EXPECT_EQ(CodesOf(values.at(static_cast<size_t>(layers[0]->inputs[0]))),
                    (std::vector<int64_t>{9, 9}));
          EXPECT_EQ(CodesOf(values.at(static_cast<size_t>(layers[0]->outputs[0]))),
                    std::vector<int64_t>(3, 7 + kZeroPoint))
              << config << is_conv << per_channel;
        }
      }
    }
  }
}

// x86's patterns over qint8.
std::shared_ptr<const BackendConfig> SignedConfig() {
  const BackendConfig& x86 = BuiltInBackendConfig("x86");
  auto config = std::make_shared<BackendConfig>("signed");
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = dtypes.weight_dtype =
      DTypeWithConstraints(DType::kQInt8);
  dtypes.bias_dtype = DType::kFloat32;
  for (const BackendConfig::Entry& entry : x86.entries()) {
    BackendPatternConfig row = entry.config;
    row.dtype_configs.clear();
    row.dtype_configs.push_back(dtypes);
    config->Set(std::move(row));
  }
  return config;
}

// pytorch/pytorch#140846: y = conv(x), relu(y) + y of -2 in steps of 1/16: y is -32, its
// ReLU 0, the sum -32; a ReLU fused into the convolution would give 0. (More layers:
// convert/second_user_test.cc.)
TEST(ModelCodes, OfAReluBesideASecondUser) {
  GraphModule model;
  model.SetModule("conv", Conv2d("torch.nn.Conv2d", RealTensor({1, 1, 1, 1}, {1})));
  model.SetModule("relu", ModuleOf("torch.nn.ReLU"));
  Node* input = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kCallModule, "conv", {input});
  Node* relu = model.graph.Append(Op::kCallModule, "relu", {y});
  Node* sum = model.graph.Append(Op::kCallFunction, "operator.add", {relu, y});
  model.graph.Append(Op::kOutput, "output", {sum});
  const QConfigMapping mapping =
      Everywhere(Fixed(1.0 / 16, 0, DType::kQInt8), Weight(false));
  const Tensor x = RealTensor({1, 1, 1, 1}, {-2});
  for (const Mode mode : kModes) {
    const Program program =
        Lower(Converted(Calibrated(model, mapping, {x}, mode, SignedConfig())), {x});
    const std::vector<Tensor> values = RunProgramValues(program, {x});
    for (const auto& [kind, code] :
         {std::pair(QC_CONV, -32), {QC_RELU, 0}, {QC_ADD, -32}}) {
      const auto operators = Operators(program, kind);
      ASSERT_EQ(operators.size(), 1u) << kind;
      const Tensor& codes = values.at(static_cast<size_t>(operators[0]->outputs[0]));
      EXPECT_EQ(codes.dtype(), DType::kInt8);
      EXPECT_EQ(CodesOf(codes), std::vector<int64_t>{code}) << kind;
    }
  }
}

}  // namespace
}  // namespace qconform
