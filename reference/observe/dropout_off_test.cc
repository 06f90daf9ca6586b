#include "reference/observe/dropout_off.h"

#include <gtest/gtest.h>

#include "reference/ir/expect_error.h"
#include "reference/ir/graph_state.h"
#include "reference/ir/test_module.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/used_modules.h"

namespace qconform {
namespace {

constexpr const char* kDropout = "torch.nn.functional.dropout";
constexpr const char* kDepth = "torchvision.ops.stochastic_depth.stochastic_depth";

// Everything that drops, one after the other; a norm, which trains otherwise.
GraphModule Model() {
  GraphModule model;
  Node* value = model.graph.Append(Op::kPlaceholder, "x");
  for (const char* type : {"Dropout", "AlphaDropout", "Dropout2d", "Identity"}) {
    model.SetModule(type, ModuleOf(std::string("torch.nn.") + type));
    model.FindModule(type)->attributes.Set("p", 0.5);
    value = model.graph.Append(Op::kCallModule, type, {value});
  }
  value = model.graph.Append(Op::kCallFunction, kDropout, {value});
  value = model.graph.Append(Op::kCallFunction, kDropout, {value, Argument(0.5)},
                             {{"training", Argument(true)}});
  value = model.graph.Append(Op::kCallFunction, kDropout,
                             {value, Argument(0.5), Argument(true)});
  value = model.graph.Append(
      Op::kCallFunction, kDepth,
      {value, Argument(0.25), Argument(std::string("row")), Argument(true)});
  model.graph.Append(Op::kOutput, "output", {value});
  SetTraining(*model.root, true);
  return model;
}

TEST(SwitchDropoutOff, LeavesNothingRandom) {
  GraphModule model = Model();
  const Tensor x = Tensor::FromVector<float>(DType::kFloat32, {1, 1, 2}, {1.0f, -2.0f});
  EXPECT_NE(ErrorOf([&] { RunObserved(model, {Value(x)}); }).find("random"),
            std::string::npos);
  SwitchDropoutOff(model);
  EXPECT_TRUE(BitEqual(*RunObserved(model, {Value(x)}).As<Tensor>(), x));
  // What else trains still does.
  EXPECT_TRUE(model.FindModule("Identity")->training);
  EXPECT_FALSE(model.FindModule("Dropout")->training);
}

TEST(SwitchDropoutOff, ReachesGraphsInside) {
  GraphModule outer;
  auto inner = ModuleOf(kGraphModuleType);
  inner->state = std::make_shared<OwnedGraph>(Model());
  outer.SetModule("inner", inner);
  SwitchDropoutOff(outer);
  const GraphModule& graph = *SubgraphOf(*inner);
  EXPECT_FALSE(graph.FindModule("AlphaDropout")->training);
  for (const Node& node : graph.graph.nodes()) {
    if (node.target() != kDepth) continue;
    EXPECT_EQ(*node.args()[3].As<bool>(), false);
  }
}

}  // namespace
}  // namespace qconform
