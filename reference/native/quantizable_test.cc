// torch's own custom modules from float to quantized.
#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/ir/error.h"
#include "reference/native/lower_to_native.h"
#include "reference/native/quantizable_conversion.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/quantizable/quantizable_modules.h"
#include "reference/ops/interpreter.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

Tensor Ramp(Shape shape, float step) {
  Tensor tensor(DType::kFloat32, std::move(shape));
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    tensor.data<float>()[i] = step * static_cast<float>(i % 5 - 2);
  }
  return tensor;
}

std::shared_ptr<Module> Lstm() {
  auto lstm = std::make_shared<Module>();
  lstm->type = "torch.nn.LSTM";
  lstm->attributes = {{"input_size", 2},
                      {"hidden_size", 3},
                      {"num_layers", 1},
                      {"batch_first", false},
                      {"bidirectional", false}};
  lstm->parameters.Set("weight_ih_l0", Ramp({12, 2}, 0.25f));
  lstm->parameters.Set("weight_hh_l0", Ramp({12, 3}, -0.125f));
  lstm->parameters.Set("bias_ih_l0", Ramp({12}, 0.0625f));
  lstm->parameters.Set("bias_hh_l0", Ramp({12}, 0.5f));
  return lstm;
}

// lstm(x, (h, c))[0], or lstm(x)[0].
GraphModule Model(bool with_states) {
  GraphModule model;
  model.root->children.Set("lstm", Lstm());
  Graph& graph = model.graph;
  std::vector<Argument> args = {graph.Append(Op::kPlaceholder, "x")};
  if (with_states) {
    Node* h = graph.Append(Op::kPlaceholder, "h");
    Node* c = graph.Append(Op::kPlaceholder, "c");
    args.push_back(Argument::Tuple({Argument(h), Argument(c)}));
  }
  Node* lstm = graph.Append(Op::kCallModule, "lstm", args);
  Node* y = graph.Append(Op::kCallFunction, "operator.getitem", {lstm, 0});
  graph.Append(Op::kOutput, "output", {y});
  return model;
}

Prepared PreparedLstm(bool with_states) {
  PrepareOptions options;
  options.custom_config.static_observed_classes.Set("torch.nn.LSTM",
                                                    "torch.ao.nn.quantizable.LSTM");
  return PrepareFx(Model(with_states), MinMaxEverywhere(),
                   std::make_shared<BackendConfig>(BuiltInBackendConfig("fbgemm")),
                   options);
}

ConvertOptions ToQuantized() {
  ConvertOptions options;
  options.engine = "fbgemm";
  options.custom_config.static_quantized_classes.Set("torch.ao.nn.quantizable.LSTM",
                                                     "torch.ao.nn.quantized.LSTM");
  return options;
}

std::vector<Value> Inputs() {
  return {Ramp({4, 1, 2}, 0.5f), Ramp({1, 1, 3}, 0.25f), Ramp({1, 1, 3}, 0.5f)};
}

const Module& PartOf(const GraphModule& module, const std::string& name) {
  return *module.FindModule("lstm.layers.0.layer_fw.cell." + name);
}

// The parts compute what the LSTM does: sums of dyadic numbers are exact in any order, so
// that only the gates' functions round, and these are the same.
TEST(Quantizable, ObservedPartsComputeTheLstm) {
  Prepared prepared = PreparedLstm(true);
  const Value observed = RunObserved(prepared.module, Inputs());
  const GraphModule plain = Model(true);
  Interpreter interpreter(plain);
  const Value expected = interpreter.Run(Inputs());
  ASSERT_NE(observed.As<Tensor>(), nullptr);
  EXPECT_EQ(observed.As<Tensor>()->shape(), expected.As<Tensor>()->shape());
  // The first step's sums are exact.
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT_FLOAT_EQ(static_cast<float>(observed.As<Tensor>()->ValueAt(i)),
                    static_cast<float>(expected.As<Tensor>()->ValueAt(i)));
  }
}

TEST(Quantizable, PartsBecomeQuantized) {
  Prepared prepared = PreparedLstm(true);
  RunObserved(prepared.module, Inputs());
  const GraphModule lowered = ConvertToNative(prepared, ToQuantized());
  EXPECT_EQ(lowered.FindModule("lstm")->type, "torch.ao.nn.quantized.LSTM");
  EXPECT_EQ(PartOf(lowered, "igates").type, "torch.ao.nn.quantized.Linear");
  EXPECT_EQ(PartOf(lowered, "ogate_cy").type, "torch.ao.nn.quantized.QFunctional");
  EXPECT_EQ(PartOf(lowered, "input_gate").type, "torch.nn.Sigmoid");
  EXPECT_NE(PartOf(lowered, "gates").Real("scale", 1.0), 1.0);
  // Without a class to convert to, it stays observed.
  ConvertOptions nothing = ToQuantized();
  nothing.custom_config = {};
  EXPECT_EQ(ConvertToReference(prepared, nothing).FindModule("lstm")->type,
            "torch.ao.nn.quantizable.modules.rnn.LSTM");
}

// from_observed is reached only with (input, (hidden, cell)).
TEST(Quantizable, StatesAreRequired) {
  Prepared prepared = PreparedLstm(false);
  EXPECT_THROW(ConvertToNative(prepared, ToQuantized()), PipelineError);
}

TEST(Quantizable, GatesMayHaveLinearsOfTheirOwn) {
  const QConfigPointer qconfig = MinMaxEverywhere().global;
  const auto joint = ObserveLstm(*Lstm(), *qconfig, false);
  const auto split = ObserveLstm(*Lstm(), *qconfig, true);
  const Call call("lstm", {Inputs()[0]});
  const std::optional<Value> one = CallQuantizable(*joint, call);
  const std::optional<Value> four = CallQuantizable(*split, call);
  ASSERT_TRUE(one && four);
  EXPECT_TRUE(BitEqual(*one->As<ValueSequence>()->items[0].As<Tensor>(),
                       *four->As<ValueSequence>()->items[0].As<Tensor>()));
}

TEST(Quantizable, OnlyTheFloatClassIsObserved) {
  Module other;
  other.type = "torch.nn.GRU";
  const CustomObservation observe =
      QuantizableObservation("torch.ao.nn.quantizable.LSTM");
  ASSERT_TRUE(observe);
  EXPECT_THROW(observe(other, *MinMaxEverywhere().global), PipelineError);
  EXPECT_FALSE(QuantizableObservation("my.Observed"));
}

}  // namespace
}  // namespace qconform
