#include "reference/ir/graph.h"

#include <gtest/gtest.h>

#include "reference/ir/module.h"

namespace qconform {
namespace {

std::vector<std::string> Names(const std::vector<Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

using Strings = std::vector<std::string>;

TEST(Graph, NamesNodesAsTorchFxDoes) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  EXPECT_EQ(x->name(), "x");
  EXPECT_EQ(graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {x})->name(),
            "relu");
  EXPECT_EQ(graph.Append(Op::kCallMethod, "relu", {x})->name(), "relu_1");
  EXPECT_EQ(graph.Append(Op::kCallModule, "layer1.0.conv1", {x})->name(),
            "layer1_0_conv1");
  // A builtin of Python is never shadowed.
  EXPECT_EQ(graph.Append(Op::kCallMethod, "abs", {x})->name(), "abs_1");
  EXPECT_EQ(graph
                .Append(Op::kCallFunction,
                        "quantized_decomposed.quantize_per_tensor.default", {x})
                ->name(),
            "quantize_per_tensor_default");
  EXPECT_EQ(graph.Append(Op::kGetAttr, "0weight")->name(), "_0weight");
}

TEST(Graph, ErasedNamesStayTaken) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  graph.Erase(graph.Append(Op::kCallMethod, "relu", {x}));
  EXPECT_EQ(graph.Append(Op::kCallMethod, "relu", {x})->name(), "relu_1");
}

TEST(Graph, UsersAreInOrderOfFirstUse) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* a = graph.Append(Op::kCallMethod, "a", {x, x});
  Node* b = graph.Append(Op::kCallMethod, "b", {Argument::List({x, a})});
  EXPECT_EQ(Names(x->users()), (Strings{"a", "b"}));
  b->ReplaceInput(x, a);
  EXPECT_EQ(Names(x->users()), (Strings{"a"}));
  EXPECT_EQ(Names(a->users()), (Strings{"b"}));
}

TEST(Graph, ReplaceAllUsesCanSpareTheReplacement) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* y = graph.Append(Op::kCallMethod, "y", {x}, {{"other", Argument(x)}});
  Node* observer = graph.InsertAfter(x, Op::kCallModule, "observer", {x});
  graph.ReplaceAllUses(x, observer, /*keep_in_replacement=*/true);
  EXPECT_EQ(Names(x->users()), (Strings{"observer"}));
  EXPECT_EQ(Names(observer->users()), (Strings{"y"}));
  EXPECT_EQ(y->args()[0].AsNode(), observer);
  EXPECT_EQ(y->kwargs().Find("other")->AsNode(), observer);
  EXPECT_EQ(Names(graph.NodePointers()), (Strings{"x", "observer", "y"}));
}

// torch.fx takes a rewritten node out of all its inputs' users and puts it back.
TEST(Graph, RewrittenUsersMoveToTheEnd) {
  Graph graph;
  Node* a = graph.Append(Op::kPlaceholder, "a");
  Node* b = graph.Append(Op::kPlaceholder, "b");
  graph.Append(Op::kCallMethod, "add", {a, b});
  graph.Append(Op::kCallMethod, "mul", {b});
  Node* c = graph.InsertAfter(a, Op::kCallMethod, "c", {a});
  graph.ReplaceAllUses(a, c, /*keep_in_replacement=*/true);
  EXPECT_EQ(Names(b->users()), (Strings{"mul", "add"}));
  EXPECT_EQ(Names(c->users()), (Strings{"add"}));
}

TEST(Module, ACopyKeepsWhatIsShared) {
  Module root;
  root.children.Set("a", std::make_shared<Module>());
  root.children.Set("b", *root.children.Find("a"));
  const std::shared_ptr<Module> copy = root.Clone();
  EXPECT_EQ(*copy->children.Find("a"), *copy->children.Find("b"));
  EXPECT_NE(*copy->children.Find("a"), *root.children.Find("a"));
}

TEST(Graph, DeadCodeGoesLastToFirst) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* unused = graph.Append(Op::kPlaceholder, "unused");
  Node* a = graph.Append(Op::kCallMethod, "a", {x});
  graph.Append(Op::kCallMethod, "b", {a});
  graph.Append(Op::kOutput, "output", {x});
  graph.EliminateDeadCode();
  EXPECT_EQ(Names(graph.NodePointers()), (Strings{"x", "unused", "output"}));
  EXPECT_TRUE(unused->users().empty());
  EXPECT_EQ(graph.Find("a"), nullptr);
}

TEST(Graph, ACopyKnowsOnlyItsOwnNames) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  graph.Erase(graph.Append(Op::kCallMethod, "relu", {x}));
  graph.Append(Op::kOutput, "output", {x});
  Graph copy;
  graph.CopyTo(copy);
  EXPECT_EQ(copy.Append(Op::kCallMethod, "relu", {copy.Find("x")})->name(), "relu");
  EXPECT_EQ(copy.Find("output")->args()[0].AsNode(), copy.Find("x"));
}

// Fan-out and rewriting stay linear: quadratic work would take minutes here.
TEST(Graph, ManyUsersOfOneNode) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  for (int i = 0; i < 100000; ++i) graph.Append(Op::kCallMethod, "relu", {x});
  EXPECT_EQ(x->users().size(), 100000u);
  Node* y = graph.InsertAfter(x, Op::kCallMethod, "y", {x});
  graph.ReplaceAllUses(x, y, /*keep_in_replacement=*/true);
  EXPECT_EQ(y->users().size(), 100000u);
  EXPECT_EQ(graph.nodes().back().name(), "relu_99999");
}

}  // namespace
}  // namespace qconform
