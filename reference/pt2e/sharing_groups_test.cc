#include "reference/pt2e/sharing_groups.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"
#include "reference/pt2e/convert_pt2e.h"
#include "reference/pt2e/prepare_pt2e.h"
#include "reference/pt2e/test_program.h"

namespace qconform {
namespace {

// y = relu(x), then the concatenation of `copies` of y.
TestProgram CatOfItself(int copies) {
  TestProgram test;
  Node* x = test.Input("x", {3});
  Node* y = test.Call("aten.relu.default", {x}, "y", {3});
  test.Output(test.Call("aten.cat.default",
                        {Argument::List(std::vector<Argument>(copies, Argument(y)))},
                        "cat", {3 * copies}));
  return test;
}

// What the naive loop over the inputs of a cat writes: the first is observed, each other
// shares with it. With `guard` an input that came before is left.
AnnotateWith CatQuantizer(bool guard) {
  return AnnotateWith([guard](const ExportedProgram& program, Annotations& annotations) {
    for (const Node& node : program.module.graph.nodes()) {
      if (node.target() != "aten.cat.default") continue;
      const std::vector<Argument>& inputs = node.args()[0].As<Sequence>()->items;
      const EdgeOrNode first = EdgeOrNode::Edge(*inputs[0].AsNode(), node);
      QuantizationAnnotation& annotation = annotations[node];
      for (size_t i = 0; i < inputs.size(); ++i) {
        const Node& input = *inputs[i].AsNode();
        if (guard && annotation.inputs.Contains(input.name())) continue;
        annotation.SetInput(input, i == 0 ? Int8() : ShareWith(first));
      }
      annotation.output = ShareWith(first);
      annotation.annotated = true;
    }
  });
}

TEST(SharingGroupsTest, ConcatenationWithItselfIsOneGroup) {
  for (const int copies : {1, 2, 3}) {
    AnnotateWith quantizer = CatQuantizer(true);
    PreparedProgram prepared =
        PreparePt2e(std::move(CatOfItself(copies).program), quantizer);
    ASSERT_EQ(prepared.groups.size(), 2u);
    EXPECT_EQ(prepared.groups[0].group, prepared.groups[1].group);
    const Graph& graph = prepared.program.module.graph;
    EXPECT_EQ(prepared.program.module.FindModule("activation_post_process_0"),
              prepared.program.module.FindModule("activation_post_process_1"));
    EXPECT_EQ(graph.Find("activation_post_process_2"), nullptr);
  }
}

// torchao recurses until Python stops it.
TEST(SharingGroupsTest, SpecThatSharesWithItselfIsNamed) {
  AnnotateWith quantizer = CatQuantizer(false);
  EXPECT_EQ(
      RefusalOf([&] { PreparePt2e(std::move(CatOfItself(2).program), quantizer); }),
      "RecursionError: shared specs lead in a circle: y -> cat shares with y -> cat");
}

// cat([relu(x), sigmoid(y)]), the branches observed by themselves, too.
TestProgram TwoBranches() {
  TestProgram test;
  Node* x = test.Input("x", {3});
  Node* y = test.Input("y", {3});
  Node* relu = test.Call("aten.relu.default", {x}, "relu", {3});
  Node* sigmoid = test.Call("aten.sigmoid.default", {y}, "sigmoid", {3});
  test.Output(
      test.Call("aten.cat.default", {Argument::List({relu, sigmoid})}, "cat", {6}));
  return test;
}

TEST(SharingGroupsTest, BranchesOfAConcatenationShareThroughIt) {
  AnnotateWith cat = CatQuantizer(true);
  AnnotateWith quantizer([&](const ExportedProgram& program, Annotations& annotations) {
    for (const char* name : {"relu", "sigmoid"}) {
      annotations[*program.module.graph.Find(name)].output = Int8();
    }
    cat.Annotate(program, annotations);
  });
  PreparedProgram prepared = PreparePt2e(std::move(TwoBranches().program), quantizer);
  for (const SharingEntry& entry : prepared.groups) EXPECT_EQ(entry.group, 0);
  RunObserved(prepared.program.module, {Floats({3}, {0, 4, 10}), Floats({3}, {0, 0, 0})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  int quantized = 0;
  for (const Node& node : converted.program.module.graph.nodes()) {
    if (node.target() != "quantized_decomposed.quantize_per_tensor.default") continue;
    ++quantized;
    EXPECT_EQ(node.args()[1], Argument(0.03921568766236305));
    EXPECT_EQ(node.args()[2], Argument(int64_t{-128}));
  }
  EXPECT_EQ(quantized, 3);
}

// x, relu, relu_1: what `annotate` says of the two.
using Annotate = std::function<void(const Node& x, const Node& first, const Node& second,
                                    Annotations& annotations)>;
std::string RefusalOfChain(const Annotate& annotate, Mode mode = Mode::kTorch) {
  TestProgram test;
  Node* x = test.Input("x", {3});
  Node* first = test.Call("aten.relu.default", {x}, "first", {3});
  Node* second = test.Call("aten.relu.default", {first}, "second", {3});
  test.Output(second);
  AnnotateWith quantizer([&](const ExportedProgram&, Annotations& annotations) {
    annotate(*x, *first, *second, annotations);
  });
  return RefusalOf([&] { PreparePt2e(std::move(test.program), quantizer, mode); });
}

TEST(SharingGroupsTest, MissingAnchorIsNamed) {
  EXPECT_EQ(RefusalOfChain([](const Node& x, const Node& first, const Node& second,
                              Annotations& annotations) {
              annotations[second].output = ShareWith(EdgeOrNode::Edge(x, first));
            }),
            "KeyError: 'second' shares the observer of 'x -> first', which has no "
            "annotation");
}

TEST(SharingGroupsTest, AnchorThatComesLaterIsNamed) {
  const std::string refusal = RefusalOfChain(
      [](const Node&, const Node& first, const Node& second, Annotations& annotations) {
        annotations[first].output = ShareWith(EdgeOrNode::Output(second));
        annotations[second].output = Int8();
      });
  EXPECT_TRUE(
      refusal.starts_with("AssertionError: 'first' shares the observer of "
                          "'second', which comes later"))
      << refusal;
}

TEST(SharingGroupsTest, TwoThatShareWithEachOtherAreNamed) {
  const std::string refusal = RefusalOfChain(
      [](const Node&, const Node& first, const Node& second, Annotations& annotations) {
        annotations[first].output = ShareWith(EdgeOrNode::Output(second));
        annotations[second].output = ShareWith(EdgeOrNode::Output(first));
      });
  EXPECT_TRUE(refusal.starts_with("AssertionError: 'first' shares")) << refusal;
}

TEST(SharingGroupsTest, DerivedFromWhatIsNotObservedIsNamed) {
  EXPECT_EQ(RefusalOfChain([](const Node& x, const Node& first, const Node& second,
                              Annotations& annotations) {
              DerivedQuantizationSpec spec;
              spec.derived_from = {EdgeOrNode::Edge(x, first)};
              spec.derive_function = "scale_product";
              annotations[second].output = MakeSpec(spec);
            }),
            "KeyError: 'second' derives from 'x -> first', which is not observed before "
            "it");
}

// torchao goes on until convert asks for the parameters.
TEST(SharingGroupsTest, DerivedFromNoneIsRefusedInStrictMode) {
  const Annotate annotate = [](const Node& x, const Node& first, const Node& second,
                               Annotations& annotations) {
    DerivedQuantizationSpec spec;
    spec.derived_from = {EdgeOrNode::Edge(x, first)};
    spec.derive_function = "scale_product";
    annotations[first].SetInput(x, nullptr);
    annotations[second].output = MakeSpec(spec);
  };
  EXPECT_EQ(RefusalOfChain(annotate), "");
  EXPECT_EQ(RefusalOfChain(annotate, Mode::kStrict),
            "KeyError: 'second' derives from 'x -> first', which is not observed");
}

TEST(SharingGroupsTest, SpecsOfOneEdgeThatDifferAreRefusedInStrictMode) {
  const Annotate annotate = [](const Node& x, const Node& first, const Node&,
                               Annotations& annotations) {
    annotations[first].SetInput(x, Int8());
    annotations[first].SetInput(x, Int8("HistogramObserver"));
  };
  EXPECT_EQ(RefusalOfChain(annotate), "");
  const std::string strict = RefusalOfChain(annotate, Mode::kStrict);
  EXPECT_TRUE(strict.starts_with("ValueError: 'x -> first' was given two specs"))
      << strict;
}

// A value with 50,000 readers of one spec, and a chain of 50,000 that share one after the
// other: 150,000 nodes and places that walk or recurse would not come through.
TEST(SharingGroupsTest, LargeGroups) {
  constexpr int kCount = 50000;
  TestProgram test;
  Node* x = test.Input("x", {1});
  std::vector<Argument> readers;
  for (int i = 0; i < kCount; ++i) {
    readers.emplace_back(test.Call("aten.relu.default", {x}, "reader", {1}));
  }
  Node* cat = test.Call("aten.cat.default", {Argument::List(readers)}, "cat", {kCount});
  Node* start = test.Call("aten.sigmoid.default", {x}, "start", {1});
  Node* last = start;
  for (int i = 0; i < kCount; ++i) {
    last = test.Call("aten.relu.default", {last}, "link", {1});
  }
  test.Output(test.Call("aten.add.Tensor", {cat, last}, "sum", {kCount}));
  AnnotateWith quantizer([&](const ExportedProgram& program, Annotations& annotations) {
    for (const Node& node : program.module.graph.nodes()) {
      if (node.target() != "aten.relu.default") continue;
      const Node& input = *node.args()[0].AsNode();
      if (&input == x || &input == start) {
        annotations[node].SetInput(input, Int8());
      } else {
        annotations[node].SetInput(input, ShareWith(EdgeOrNode::Output(input)));
      }
      annotations[node].output = ShareWith(EdgeOrNode::Edge(input, node));
    }
  });
  PreparedProgram prepared = PreparePt2e(std::move(test.program), quantizer);
  std::set<int> groups;
  for (const SharingEntry& entry : prepared.groups) groups.insert(entry.group);
  EXPECT_EQ(prepared.groups.size(), 4u * kCount);
  EXPECT_EQ(groups.size(), 2u);
  RunObserved(prepared.program.module, {Floats({1}, {1})});
  const ConvertedProgram converted = ConvertPt2e(std::move(prepared));
  const Node* converted_cat = converted.program.module.graph.Find("cat");
  ASSERT_EQ(converted_cat->InputNodes().size(), static_cast<size_t>(kCount));
  EXPECT_TRUE(converted_cat->InputNodes()[0]->name().starts_with("dequantize"));
}

}  // namespace
}  // namespace qconform
