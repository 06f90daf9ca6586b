#include "reference/ir/verify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/ir/error.h"

namespace qconform {
namespace {

// What FindDefect says, or "".
std::string Defect(const GraphModule& module) {
  const std::optional<GraphDefect> defect = FindDefect(module);
  return defect ? defect->what : "";
}

TEST(VerifyTest, FindsNothingInASoundGraph) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  module.SetBuffer("w", Tensor(DType::kFloat32, {1}));
  module.root->parameters.Set("b", std::nullopt);
  Node* w = module.graph.Append(Op::kGetAttr, "w");
  module.graph.Append(Op::kGetAttr, "b");
  Node* add = module.graph.Append(Op::kCallFunction, "operator.add", {x, w});
  module.graph.Append(Op::kOutput, "output", {add});
  EXPECT_EQ(Defect(module), "");
  Verify(module, "here");
}

TEST(VerifyTest, OrderAndCycles) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* a = module.graph.Append(Op::kCallFunction, "torch.relu", {x}, {}, "a");
  Node* b = module.graph.Append(Op::kCallFunction, "torch.relu", {a}, {}, "b");
  module.graph.Append(Op::kOutput, "output", {b});
  a->set_args({Argument::List({x, b})});
  EXPECT_EQ(Defect(module), "node 'a' uses 'b', which comes later or depends on it");
  a->set_args({});
  a->set_kwargs({{"self", Argument(a)}});
  EXPECT_EQ(Defect(module), "node 'a' is its own argument");
}

TEST(VerifyTest, NodesOfAnotherGraph) {
  GraphModule other;
  Node* stranger = other.graph.Append(Op::kPlaceholder, "x");
  GraphModule module;
  Node* out = module.graph.Append(Op::kOutput, "output", {stranger});
  EXPECT_EQ(Defect(module), "an argument of node 'output' is no node of the graph");
  out->set_args({});
}

TEST(VerifyTest, Outputs) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  EXPECT_EQ(Defect(module), "the graph has no output");
  module.graph.Append(Op::kOutput, "output", {x});
  EXPECT_EQ(Defect(module), "");
  Node* second = module.graph.Append(Op::kOutput, "output", {x});
  EXPECT_EQ(Defect(module), "node 'output_1' is a second output after 'output'");
  module.graph.Erase(second);
  module.graph.Append(Op::kCallFunction, "torch.relu", {x});
  EXPECT_EQ(Defect(module), "node 'relu' stands after the output 'output'");
}

TEST(VerifyTest, MissingTargets) {
  GraphModule module;
  module.graph.Append(Op::kCallModule, "conv");
  module.graph.Append(Op::kOutput, "output");
  EXPECT_EQ(Defect(module), "node 'conv' calls the module 'conv', which is missing");
  module.SetModule("conv", std::make_shared<Module>());
  EXPECT_EQ(Defect(module), "");
  module.graph.Find("conv")->set_target("");
  EXPECT_EQ(Defect(module), "node 'conv' has no target");
  module.graph.Find("conv")->set_target("conv");
  module.graph.InsertBefore(module.graph.Find("conv"), Op::kGetAttr, "conv.weight");
  EXPECT_EQ(Defect(module), "node 'conv_weight' reads 'conv.weight', which is missing");
  try {
    Verify(module, "m.graph.json");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "m.graph.json: node 'conv_weight' reads 'conv.weight', which is missing, "
        "expected a parameter, buffer or attribute of this path");
  }
}

TEST(VerifyTest, Scales) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  module.SetBuffer("scale_0", Tensor::FromVector<float>(DType::kFloat32, {}, {0.5f}));
  Node* scale = module.graph.Append(Op::kGetAttr, "scale_0");
  Node* q = module.graph.Append(Op::kCallFunction, "torch.quantize_per_tensor",
                                {x, scale, 0, DType::kQUInt8});
  module.graph.Append(Op::kOutput, "output", {q});
  EXPECT_EQ(Defect(module), "");
  module.SetBuffer("scale_0", Tensor::FromVector<float>(DType::kFloat32, {}, {NAN}));
  EXPECT_EQ(Defect(module), "node 'quantize_per_tensor' has a scale of NaN");
  q->set_arg(1, Argument(-1.0));
  EXPECT_EQ(Defect(module), "node 'quantize_per_tensor' has a scale of -1.000000");
}

}  // namespace
}  // namespace qconform
