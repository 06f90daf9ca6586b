#include "reference/ir/isomorphism.h"

#include <gtest/gtest.h>

namespace qconform {
namespace {

// y = conv(x) + relu(x), with names and the order of the two branches to choose.
GraphModule Branches(const std::string& conv, const std::string& relu, bool swap) {
  GraphModule model;
  auto module = std::make_shared<Module>();
  module->type = "torch.nn.Conv2d";
  module->attributes.Set("stride", 1);
  module->parameters.Set("weight", Tensor(DType::kFloat32, {2}));
  model.root->children.Set("conv", module);
  Graph& graph = model.graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* a = nullptr;
  Node* b = nullptr;
  const auto make_a = [&] { a = graph.Append(Op::kCallModule, "conv", {x}, {}, conv); };
  const auto make_b = [&] {
    b = graph.Append(Op::kCallFunction, "torch.relu", {x}, {}, relu);
  };
  if (swap) make_b();
  make_a();
  if (!swap) make_b();
  Node* add = graph.Append(Op::kCallFunction, "operator.add", {a, b});
  graph.Append(Op::kOutput, "output", {add});
  return model;
}

TEST(IsomorphismTest, NamesAndOrderDoNotCount) {
  const GraphModule model = Branches("conv", "relu", false);
  EXPECT_EQ(FindDifference(model, Branches("c", "r", false)), std::nullopt);
  EXPECT_EQ(FindDifference(model, Branches("c", "r", true)), std::nullopt);
  EXPECT_EQ(FindDifference(model, model.Clone()), std::nullopt);
}

TEST(IsomorphismTest, SaysTheFirstDifference) {
  const GraphModule model = Branches("conv", "relu", false);
  GraphModule other = Branches("c", "r", false);
  other.graph.Find("r")->set_target("torch.sigmoid");
  EXPECT_EQ(FindDifference(model, other),
            "node 'relu' / 'r': target is 'torch.relu', not 'torch.sigmoid'");
  other.FindModule("conv")->attributes.Set("stride", 2);
  EXPECT_EQ(FindDifference(model, other),
            "node 'conv' / 'c': attribute 'stride' is 1, not 2");
  other.FindModule("conv")->attributes.Set("stride", 1);
  other.FindModule("conv")->parameters.Find("weight")->value().data<float>()[1] = 1.0f;
  EXPECT_EQ(FindDifference(model, other),
            "node 'conv' / 'c': tensor 'weight' has other values");
  IsomorphismOptions structure;
  structure.compare_modules = false;
  EXPECT_EQ(FindDifference(model, other, structure),
            "node 'relu' / 'r': target is 'torch.relu', not 'torch.sigmoid'");
}

TEST(IsomorphismTest, ArgumentsAndTheirOrderCount) {
  const GraphModule model = Branches("conv", "relu", false);
  GraphModule other = model.Clone();
  Node* add = other.graph.Find("add");
  add->set_args({add->args()[1], add->args()[0]});
  EXPECT_EQ(FindDifference(model, other),
            "node 'conv' / 'relu': op is call_module, not call_function");
  add->set_args({add->args()[1], Argument(1.0)});
  EXPECT_EQ(FindDifference(model, other),
            "node 'add': argument 1 is node 'relu', not 1.0");
  GraphModule third = other.Clone();
  third.graph.Find("add")->set_arg(1, Argument(1));
  EXPECT_EQ(FindDifference(other, third), "node 'add': argument 1 is 1.0, not 1");
}

TEST(IsomorphismTest, SharingCounts) {
  const auto twice = [](bool shared) {
    GraphModule model;
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    Node* a = model.graph.Append(Op::kCallFunction, "torch.relu", {x});
    Node* b = shared ? a : model.graph.Append(Op::kCallFunction, "torch.relu", {x});
    model.graph.Append(Op::kOutput, "output", {Argument::Tuple({a, b})});
    return model;
  };
  EXPECT_EQ(FindDifference(twice(false), twice(false)), std::nullopt);
  EXPECT_NE(FindDifference(twice(false), twice(true)), std::nullopt);
  EXPECT_NE(FindDifference(twice(true), twice(false)), std::nullopt);
}

TEST(IsomorphismTest, UnreachedNodesCount) {
  const GraphModule model = Branches("conv", "relu", false);
  GraphModule other = model.Clone();
  other.graph.InsertBefore(other.graph.OutputNode(), Op::kCallMethod, "item",
                           {other.graph.Find("x")});
  EXPECT_EQ(FindDifference(model, other), "the other's node 'item' has no counterpart");
  EXPECT_EQ(FindDifference(other, model), "node 'item' has no counterpart");
}

TEST(IsomorphismTest, PathsOneToOne) {
  GraphModule model;
  GraphModule other;
  for (GraphModule* m : {&model, &other}) {
    const std::string prefix = m == &model ? "a" : "b";
    m->SetBuffer(prefix + "1", Tensor(DType::kFloat32, {1}));
    m->SetBuffer(prefix + "2", Tensor(DType::kFloat32, {1}));
    Node* one = m->graph.Append(Op::kGetAttr, prefix + "1");
    Node* two = m->graph.Append(Op::kGetAttr, prefix + "2");
    m->graph.Append(Op::kOutput, "output", {Argument::Tuple({one, two})});
  }
  IsomorphismOptions options;
  options.ignore_paths = true;
  EXPECT_NE(FindDifference(model, other), std::nullopt);
  EXPECT_EQ(FindDifference(model, other, options), std::nullopt);
  // The last node is compared first.
  other.graph.Find("b2")->set_target("b1");
  EXPECT_EQ(FindDifference(model, other, options),
            "node 'a1' / 'b1': the other's path 'b1' stands for 'a2' elsewhere, here for "
            "'a1'");
  EXPECT_EQ(FindDifference(other, model, options),
            "node 'b1' / 'a1': path 'b1' stands for the other's 'a2' elsewhere, here for "
            "'a1'");
}

}  // namespace
}  // namespace qconform
