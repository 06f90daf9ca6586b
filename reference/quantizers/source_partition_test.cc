#include "reference/quantizers/source_partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/ir/error.h"
#include "reference/ir/expect_error.h"
#include "reference/quantizers/recorded_program.h"

namespace qconform {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Names(const std::vector<const Node*>& nodes) {
  std::vector<std::string> names;
  for (const Node* node : nodes) names.push_back(node->name());
  return names;
}

// x -> linear (module l) -> linear_1 (module l) -> add, with both sides' metadata.
class SourcePartitionTest : public ::testing::Test {
 protected:
  SourcePartitionTest() {
    Graph& graph = program_.module.graph;
    Node* x = graph.Append(Op::kPlaceholder, "x");
    Node* weight = graph.Append(Op::kGetAttr, "l.weight");
    Node* first =
        graph.Append(Op::kCallFunction, "aten.linear.default", {x, weight}, {}, "linear");
    Node* second = graph.Append(Op::kCallFunction, "aten.linear.default", {first, weight},
                                {}, "linear_1");
    Node* add =
        graph.Append(Op::kCallFunction, "aten.add.Tensor", {second, first}, {}, "add");
    graph.Append(Op::kOutput, "output", {Argument::Tuple({add})});
    int call = 0;
    for (Node* node : {first, second}) {
      NodeMetadata& metadata = program_.MutableMetadataOf(*node);
      metadata.nn_module_stack = {{"", "M"}, {"l", "torch.nn.modules.linear.Linear"}};
      metadata.torch_fn = TorchFunction{"linear_" + std::to_string(++call),
                                        "builtin_function_or_method.linear"};
    }
    program_.MutableMetadataOf(*add).nn_module_stack = {{"", "M"}};
    program_.MutableMetadataOf(*add).torch_fn =
        TorchFunction{"add_1", "method_descriptor.add"};
  }

  ExportedProgram program_;
};

TEST_F(SourcePartitionTest, CallsOfOneModuleAreOnePartitionByModule) {
  const SourceIndex index(program_);
  const auto found = index.Find({"torch.nn.Linear"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(Names(found[0].nodes), ElementsAre("linear", "linear_1"));
  EXPECT_THAT(Names(found[0].inputs), ElementsAre("x"));
  EXPECT_THAT(Names(found[0].outputs), ElementsAre("linear", "linear_1"));
  EXPECT_THAT(Names(found[0].parameters), ElementsAre());
}

TEST_F(SourcePartitionTest, FunctionsAreNotFoundByTorchFnUnderTheirFullName) {
  const SourceIndex index(program_);
  EXPECT_TRUE(index.Find({"torch.nn.functional.linear"}).empty());
  EXPECT_EQ(index.Find({"linear"}).size(), 2u);
}

TEST_F(SourcePartitionTest, SourceFunctionComesBeforeEverythingElse) {
  program_.MutableMetadataOf(*program_.module.graph.Find("linear")).source_fn_stack = {
      {"linear", "torch.nn.functional.linear"}};
  program_.MutableMetadataOf(*program_.module.graph.Find("l_weight")).source_fn_stack = {
      {"linear", "torch.nn.functional.linear"}};
  const SourceIndex index(program_);
  const auto found = index.Find({"torch.nn.Linear", "torch.nn.functional.linear"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].source, "torch.nn.functional.linear");
  EXPECT_THAT(Names(found[0].nodes), ElementsAre("l_weight", "linear"));
  EXPECT_THAT(Names(found[0].parameters), ElementsAre("l_weight"));
  EXPECT_THAT(Names(found[0].outputs), ElementsAre("linear"));
  EXPECT_EQ(found[1].source, "torch.nn.modules.linear.Linear");
}

TEST_F(SourcePartitionTest, FilterAsksEveryNodeOfAPartition) {
  const SourceIndex index(program_);
  const auto not_first = [](const Node& node) { return node.name() != "linear"; };
  EXPECT_TRUE(index.Find({"torch.nn.Linear"}, not_first).empty());
}

TEST_F(SourcePartitionTest, ChainTakesEquivalents) {
  const SourceIndex index(program_);
  const auto chains = index.FindSequential({"torch.nn.Linear", "operator.add"});
  ASSERT_EQ(chains.size(), 1u);
  EXPECT_THAT(Names(chains[0][1].nodes), ElementsAre("add"));
  EXPECT_TRUE(index.FindSequential({"operator.add", "torch.nn.Linear"}).empty());
}

TEST_F(SourcePartitionTest, ChainOfEqualSourcesIsRefused) {
  const SourceIndex index(program_);
  EXPECT_THROW(index.FindSequential({"torch.add", "operator.add"}), PipelineError);
}

TEST_F(SourcePartitionTest, ByOperatorEachCallIsItsOwn) {
  const SourceIndex index(program_, PartitionBy::kOperator);
  const auto found = index.Find({"torch.nn.Linear", "torch.nn.functional.linear"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(Names(found[1].nodes), ElementsAre("linear_1"));
  EXPECT_EQ(index.FindSequential({"torch.nn.Linear", "operator.add"}).size(), 2u);
}

}  // namespace
}  // namespace qconform
