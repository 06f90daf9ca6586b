#include "reference/quantizers/subgraph_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/quantizers/pattern_library.h"

namespace qconform {
namespace {

SubgraphMatchOptions AnyLiterals() {
  SubgraphMatchOptions options;
  options.ignore_literals = true;
  return options;
}

// conv2d(x, w, None, [1, 1], [1, 1]) and a relu behind it.
struct ConvRelu {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* w = graph.Append(Op::kGetAttr, "w");
  Node* conv =
      graph.Append(Op::kCallFunction, "aten.conv2d.default",
                   {x, w, Argument(), Argument::List({1, 1}), Argument::List({1, 1})});
  Node* relu = graph.Append(Op::kCallFunction, "aten.relu_.default", {conv});
};

TEST(SubgraphMatcher, FillsDefaultsInAndKnowsNodesByName) {
  ConvRelu made;
  made.graph.Append(Op::kOutput, "output", {Argument::Tuple({made.relu})});
  const auto matches =
      FindPattern(LibraryPattern("conv_relu"), made.graph, AnyLiterals());
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(*matches[0].by_name.Find("conv"), made.conv);
  EXPECT_EQ(*matches[0].by_name.Find("input"), made.x);
  EXPECT_EQ(*matches[0].by_name.Find("weight"), made.w);
  EXPECT_EQ(*matches[0].by_name.Find("bias"), nullptr);
  EXPECT_EQ(*matches[0].by_name.Find("output"), made.relu);
}

TEST(SubgraphMatcher, LiteralsCountUnlessTheyAreIgnored) {
  ConvRelu made;
  made.graph.Append(Op::kOutput, "output", {Argument::Tuple({made.relu})});
  // padding is [0, 0] by default, and [1, 1] here.
  EXPECT_TRUE(FindPattern(LibraryPattern("conv_relu"), made.graph, {}).empty());
}

TEST(SubgraphMatcher, WhatIsInsideIsUsedInsideOnly) {
  ConvRelu made;
  Node* sum =
      made.graph.Append(Op::kCallFunction, "aten.add.Tensor", {made.relu, made.conv});
  made.graph.Append(Op::kOutput, "output", {Argument::Tuple({sum})});
  EXPECT_TRUE(
      FindPattern(LibraryPattern("conv_relu"), made.graph, AnyLiterals()).empty());
}

TEST(SubgraphMatcher, ReturnedNodesMayBeUsedOutside) {
  ConvRelu made;
  Node* sum =
      made.graph.Append(Op::kCallFunction, "aten.add.Tensor", {made.relu, made.conv});
  made.graph.Append(Op::kOutput, "output", {Argument::Tuple({sum})});
  PatternBuilder builder;
  const PatternGraph pattern =
      builder.Call("conv", "aten.conv2d.default", {"input", "weight", "bias"})
          .Call("relu", "aten.relu_.default", {"conv"})
          .Finish({"conv", "relu"});
  EXPECT_EQ(SubgraphMatcher(pattern, AnyLiterals()).Match(made.graph).size(), 1u);
}

// a = relu(x); b = sigmoid(a); c = a + b: relu and add alone have b between them.
TEST(SubgraphMatcher, RefusesWhatAPathLeavesAndComesBackTo) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* a = graph.Append(Op::kCallFunction, "aten.relu.default", {x});
  Node* b = graph.Append(Op::kCallFunction, "aten.sigmoid.default", {a});
  Node* c = graph.Append(Op::kCallFunction, "aten.add.Tensor", {a, b});
  graph.Append(Op::kOutput, "output", {Argument::Tuple({a, c})});
  PatternBuilder builder;
  const PatternGraph pattern = builder.Call("relu", "aten.relu.default", {"input"})
                                   .Call("add", "aten.add.Tensor", {"relu", "other"})
                                   .Finish({"relu", "add"});
  EXPECT_TRUE(SubgraphMatcher(pattern).Match(graph).empty());
}

TEST(SubgraphMatcher, OfOverlappingMatchesTheFirstStays) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* a = graph.Append(Op::kCallFunction, "aten.add.Tensor", {x, x});
  Node* b = graph.Append(Op::kCallFunction, "aten.add.Tensor", {a, x});
  Node* c = graph.Append(Op::kCallFunction, "aten.add.Tensor", {b, x});
  graph.Append(Op::kOutput, "output", {Argument::Tuple({c})});
  PatternBuilder builder;
  const PatternGraph pattern = builder.Call("first", "aten.add.Tensor", {"p", "q"})
                                   .Call("second", "aten.add.Tensor", {"first", "q"})
                                   .Finish();
  SubgraphMatchOptions options;
  options.remove_overlapping = false;
  // a + b has p and q at one node, which are two nodes of the pattern.
  EXPECT_EQ(SubgraphMatcher(pattern, options).Match(graph).size(), 1u);
  EXPECT_EQ(*SubgraphMatcher(pattern).Match(graph)[0].by_name.Find("second"), c);
}

TEST(SubgraphMatcher, CatOfAnyNumberOfInputs) {
  Graph graph;
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* y = graph.Append(Op::kPlaceholder, "y");
  Node* z = graph.Append(Op::kPlaceholder, "z");
  Node* cat =
      graph.Append(Op::kCallFunction, "aten.cat.default", {Argument::List({x, y, z}), 1});
  graph.Append(Op::kOutput, "output", {Argument::Tuple({cat})});
  const auto matches = FindPattern(LibraryPattern("cat"), graph, AnyLiterals());
  ASSERT_FALSE(matches.empty());
  EXPECT_EQ(*matches[0].by_name.Find("input_3"), z);
}

TEST(SubgraphMatcher, RefusesPatternsThatAreNone) {
  PatternBuilder empty;
  const PatternGraph nothing = empty.Finish({});
  EXPECT_THROW(SubgraphMatcher{nothing}, InputError);
  PatternBuilder builder;
  const PatternGraph dead = builder.Call("a", "aten.relu.default", {"x"})
                                .Call("b", "aten.relu.default", {"x"})
                                .Finish();
  EXPECT_THROW(SubgraphMatcher{dead}, InputError);
}

TEST(PatternLibrary, EveryPatternIsOne) {
  for (const std::string& name : LibraryPatternNames()) {
    SCOPED_TRACE(name);
    ASSERT_FALSE(LibraryPattern(name).graphs.empty());
    for (const PatternGraph& graph : LibraryPattern(name).graphs) {
      EXPECT_NO_THROW(SubgraphMatcher{graph});
      EXPECT_NE(graph.names.Find("output"), nullptr);
    }
  }
}

TEST(PatternOfProgram, ParametersAndInputsComeFromOutside) {
  ExportedProgram program;
  Graph& graph = program.module.graph;
  Node* w = graph.Append(Op::kGetAttr, "l.weight");
  Node* x = graph.Append(Op::kPlaceholder, "x");
  Node* linear =
      graph.Append(Op::kCallFunction, "aten.linear.default", {x, w}, {}, "linear");
  graph.Append(Op::kOutput, "output", {Argument::Tuple({linear})});
  const PatternGraph pattern = PatternOfProgram(program, {{"gemm", "linear"}});
  ConvRelu none;
  none.graph.Append(Op::kOutput, "output", {Argument::Tuple({none.relu})});
  EXPECT_TRUE(SubgraphMatcher(pattern).Match(none.graph).empty());
  const auto matches = SubgraphMatcher(pattern).Match(graph);
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(*matches[0].by_name.Find("gemm"), linear);
  EXPECT_THROW(PatternOfProgram(program, {{"gemm", "conv"}}), InputError);
}

}  // namespace
}  // namespace qconform
