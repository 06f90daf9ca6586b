// pytorch/pytorch#99524: conv, batch norm, batch norm. The first batch norm folds into
// the convolution, the second stays; whether the convolution's output is quantized is for
// the backend config's patterns to say. (The fold: fuse/fuse_test.cc.)
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/convert/node_reason.h"
#include "reference/convert/test_model.h"
#include "reference/observe/observer_module.h"

namespace qconform {
namespace {

constexpr Mode kModes[] = {Mode::kTorch, Mode::kStrict};
constexpr float kValue = 8.375f;  // for an input of 3

// The convolution with the first batch norm is 3 * x - 1.75.
GraphModule FoldedConv(bool second_is_module) {
  const auto conv = Conv2d("torch.nn.Conv2d", RealTensor({1, 1, 1, 1}, {2}));
  conv->parameters.Set("bias", RealTensor({1}, {0.5f}));
  GraphModule model;
  model.SetModule("conv", conv);
  model.SetModule("bn", BatchNorm2d(1, 4, 3, -1));
  model.SetModule("bn2", BatchNorm2d(1, 4, 3, -1));
  Graph& graph = model.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* y = graph.Append(Op::kCallModule, "conv", {x});
  y = graph.Append(Op::kCallModule, "bn", {y});
  if (second_is_module) {
    y = graph.Append(Op::kCallModule, "bn2", {y});
  } else {
    std::vector<Argument> args = {Argument(y)};
    for (const char* name : {"running_mean", "running_var", "weight", "bias"}) {
      args.emplace_back(graph.Append(Op::kGetAttr, std::string("bn2.") + name));
    }
    for (const Argument& argument : {Argument(false), Argument(0.1), Argument(0.0)}) {
      args.push_back(argument);
    }
    y = graph.Append(Op::kCallFunction, "torch.nn.functional.batch_norm", args);
  }
  graph.Append(Op::kOutput, "output", {y});
  return model;
}

// The weights have a step of 3 / 127, so that 3 is a code.
QConfigMapping Mapping(DType activation) {
  return Everywhere(
      ObserverConstructor("MinMaxObserver", {{"dtype", activation}}),
      ObserverConstructor("MinMaxObserver", {{"dtype", DType::kQInt8},
                                             {"qscheme", "torch.per_tensor_symmetric"},
                                             {"quant_min", -127},
                                             {"quant_max", 127}}));
}

struct Backend {
  const char* name;
  DType activation;
};
constexpr Backend kBackends[] = {{"x86", DType::kQUInt8}, {"tensorrt", DType::kQInt8}};

// The nodes that observers watch, in the order of the graph. Expects each to have an
// observer of its own.
std::vector<std::string> Observed(const Prepared& prepared) {
  std::vector<std::string> nodes;
  std::vector<std::shared_ptr<Module>> observers;
  for (const Node& node : prepared.module.graph.nodes()) {
    if (node.op() != Op::kCallModule) continue;
    const auto module = prepared.module.FindModule(node.target());
    if (!ObserverOf(module)) continue;
    EXPECT_EQ(std::count(observers.begin(), observers.end(), module), 0);
    nodes.push_back(node.args()[0].AsNode()->name());
    observers.push_back(module);
  }
  return nodes;
}

std::vector<std::string> Calls(const GraphModule& module) {
  std::vector<std::string> calls;
  for (const Node& node : module.graph.nodes()) {
    if (node.op() == Op::kPlaceholder || node.op() == Op::kGetAttr) continue;
    calls.push_back(node.target());
  }
  return calls;
}

NodeReason ReasonOf(const std::string& node, const GraphModule& model,
                    const Prepared& prepared) {
  for (NodeReason& reason : ExplainNodes(model, prepared)) {
    if (reason.node == node) return reason;
  }
  return {};
}

// The built-in configs have a row for a convolution with a batch norm. The pair that is
// left matches it again (the key is reversed) and is quantized as one: its middle is
// float. So does torch.
TEST(SecondBatchNorm, IsQuantizedWithTheConvolutionByAPatternOfBoth) {
  const Tensor x = RealTensor({1, 1, 1, 1}, {3});
  const GraphModule model = FoldedConv(true);
  EXPECT_EQ(OutputOf(model, x).ValueAt(0), kValue);
  for (const Backend& backend : kBackends) {
    for (const Mode mode : kModes) {
      const Prepared prepared = Calibrated(model, Mapping(backend.activation), {x}, mode,
                                           BuiltIn(backend.name));
      EXPECT_EQ(Observed(prepared), (std::vector<std::string>{"x", "bn2"}));
      for (const char* node : {"conv", "bn2"}) {
        const NodeReason reason = ReasonOf(node, model, prepared);
        EXPECT_EQ(reason.fate, NodeFate::kQuantized) << node;
        EXPECT_EQ(reason.pattern, "(torch.nn.BatchNorm2d, torch.nn.Conv2d)");
      }
      EXPECT_EQ(ReasonOf("bn", model, prepared).fused_into, "conv");
      const GraphModule converted = Converted(prepared);
      EXPECT_EQ(Calls(converted),
                (std::vector<std::string>{"torch.quantize_per_tensor", "dequantize",
                                          "conv", "bn2", "torch.quantize_per_tensor",
                                          "dequantize", "output"}));
      EXPECT_NEAR(OutputOf(converted, x).ValueAt(0), kValue, kValue / 255 / 2);
    }
  }
}

// No config has a row for the function: the convolution's output is quantized, and
// dequantized before it.
TEST(SecondBatchNorm, StaysFloatWithoutAPattern) {
  const Tensor x = RealTensor({1, 1, 1, 1}, {3});
  const GraphModule model = FoldedConv(false);
  EXPECT_EQ(OutputOf(model, x).ValueAt(0), kValue);
  for (const Backend& backend : kBackends) {
    for (const Mode mode : kModes) {
      const Prepared prepared = Calibrated(model, Mapping(backend.activation), {x}, mode,
                                           BuiltIn(backend.name));
      EXPECT_EQ(Observed(prepared), (std::vector<std::string>{"x", "conv"}));
      const NodeReason reason = ReasonOf("batch_norm", model, prepared);
      EXPECT_EQ(reason.fate, NodeFate::kFloat);
      EXPECT_EQ(reason.constraint, "pattern");
      const GraphModule converted = Converted(prepared);
      EXPECT_EQ(Calls(converted), (std::vector<std::string>{
                                      "torch.quantize_per_tensor", "dequantize", "conv",
                                      "torch.quantize_per_tensor", "dequantize",
                                      "torch.nn.functional.batch_norm", "output"}));
      // The batch norm multiplies half a step of the convolution's output by 1.5.
      EXPECT_NEAR(OutputOf(converted, x).ValueAt(0), kValue, 1.5 * 7.25 / 255 / 2);
    }
  }
}

}  // namespace
}  // namespace qconform
