#include "reference/observe/calibrate.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/ir/expect_error.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

TEST(CallObserved, OnlyBlindObserversPassNumbers) {
  Graph graph;
  const Node& node = *graph.Append(Op::kPlaceholder, "x");
  const Call call("observer", {Value(3)});
  const auto minmax = MakeObserverModule({"MinMaxObserver", {}}, false);
  EXPECT_EQ(ErrorKindOf([&] { CallObserved(node, *minmax, call); }), "AttributeError");
  const auto placeholder = MakeObserverModule({"PlaceholderObserver", {}}, false);
  const std::optional<Value> passed = CallObserved(node, *placeholder, call);
  ASSERT_TRUE(passed && passed->As<int64_t>() != nullptr);
  EXPECT_EQ(*passed->As<int64_t>(), 3);
}

// torch.histc has no kernel for integers; the range is set before it is asked.
TEST(CallObserved, HistogramsRefuseIntegers) {
  const auto histogram = MakeObserverModule({"HistogramObserver", {}}, false);
  const Tensor x = Tensor::FromVector<int64_t>(DType::kInt64, {3}, {0, 1, 3});
  EXPECT_EQ(ErrorKindOf([&] { ObserverOf(histogram)->Forward(x); }),
            "NotImplementedError");
  EXPECT_EQ(ObserverOf(histogram)->Buffers().Find("max_val")->ValueAt(0), 3);
}

// No backend row matches a GELU: it is never observed.
TEST(Prepare, ConstructsTheObserversOfEveryModule) {
  GraphModule model;
  auto gelu = std::make_shared<Module>();
  gelu->type = "torch.nn.GELU";
  model.root->children.Set("act", gelu);
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* act = model.graph.Append(Op::kCallModule, "act", {x});
  model.graph.Append(Op::kOutput, "output", {act});
  const auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("native"));
  QConfigMapping mapping = MinMaxEverywhere();
  EXPECT_EQ(ErrorKindOf([&] { PrepareFx(model, mapping, config); }), "");
  const auto without_zero = std::make_shared<QConfig>(QConfig{
      ObserverConstructor("MinMaxObserver", {{"quant_min", 10}, {"quant_max", 200}}),
      mapping.global->weight});
  QConfigMapping by_name = mapping;
  by_name.module_name.Set("act", without_zero);
  EXPECT_EQ(ErrorKindOf([&] { PrepareFx(model, by_name, config); }), "AssertionError");
  // Propagation does not read regular expressions; the qconfig of the node does.
  mapping.module_name_regex.Set("a.*", without_zero);
  EXPECT_EQ(ErrorKindOf([&] { PrepareFx(model, mapping, config); }), "AssertionError");
}

}  // namespace
}  // namespace qconform
