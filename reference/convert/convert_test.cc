#include "reference/convert/convert.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/ir/error.h"
#include "reference/observe/calibrate.h"
#include "reference/observe/observer_module.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

std::shared_ptr<const BackendConfig> X86() {
  return std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
}

// cat([x, y])
GraphModule Concatenation() {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* y = module.graph.Append(Op::kPlaceholder, "y");
  Node* cat = module.graph.Append(Op::kCallFunction, "torch.cat",
                                  {Argument::List({Argument(x), Argument(y)})});
  module.graph.Append(Op::kOutput, "output", {cat});
  return module;
}

std::vector<std::string> Names(Graph& graph) {
  std::vector<std::string> names;
  for (const Node* node : graph.NodePointers()) names.push_back(node->name());
  return names;
}

TEST(Prepare, ConcatenationSharesOneObserver) {
  Prepared prepared = PrepareFx(Concatenation(), MinMaxEverywhere(), X86());
  EXPECT_EQ(Names(prepared.module.graph),
            (std::vector<std::string>{"x", "activation_post_process_0", "y",
                                      "activation_post_process_1", "cat",
                                      "activation_post_process_2", "output"}));
  const auto first = prepared.module.FindModule("activation_post_process_0");
  EXPECT_EQ(first, prepared.module.FindModule("activation_post_process_1"));
  EXPECT_EQ(first, prepared.module.FindModule("activation_post_process_2"));
}

TEST(Convert, SharedObserversGiveEqualParameters) {
  Prepared prepared = PrepareFx(Concatenation(), MinMaxEverywhere(), X86());
  RunObserved(prepared.module,
              {Tensor::FromVector<float>(DType::kFloat32, {2}, {-1.0f, 0.5f}),
               Tensor::FromVector<float>(DType::kFloat32, {2}, {2.0f, 4.1f})});
  const GraphModule decomposed = ConvertToReference(prepared, {.is_decomposed = true});
  int quantized = 0;
  for (const Node& node : decomposed.graph.nodes()) {
    if (node.target() != "quantized_decomposed.quantize_per_tensor.default") continue;
    ++quantized;
    // (4.1 + 1) / 255, and 1 / scale to the nearest.
    EXPECT_FLOAT_EQ(static_cast<float>(*node.args()[1].As<double>()), 5.1f / 255);
    EXPECT_EQ(*node.args()[2].As<int64_t>(), 50);
  }
  EXPECT_EQ(quantized, 3);
  EXPECT_TRUE(decomposed.root->children.empty());

  const GraphModule reference = ConvertToReference(prepared);
  EXPECT_NE(reference.FindTensor("_input_scale_0"), nullptr);
  EXPECT_NE(reference.FindTensor("_scale_0"), nullptr);
  // The prepared graph is as it was.
  EXPECT_NE(ObserverOf(prepared.module.FindModule("activation_post_process_0")), nullptr);
}

TEST(Convert, PlainIntegersStayObserversUnlessStrict) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* y = module.graph.Append(Op::kCallFunction, "operator.mul", {x, x});
  module.graph.Append(Op::kOutput, "output", {y});
  BackendPatternConfig entry(Pattern::Function("operator.mul"));
  DTypeConfig dtypes;
  dtypes.input_dtype = dtypes.output_dtype = DTypeWithConstraints(DType::kInt8);
  entry.dtype_configs.push_back(dtypes);
  auto config = std::make_shared<BackendConfig>("plain");
  config->Set(entry);
  QConfigMapping mapping;
  mapping.global = std::make_shared<QConfig>(
      QConfig{ObserverConstructor("MinMaxObserver", {{"dtype", DType::kInt8}}),
              ObserverConstructor("MinMaxObserver", {{"dtype", DType::kInt8}})});
  Prepared prepared = PrepareFx(module, mapping, config);
  RunObserved(prepared.module, {Tensor::FromVector<float>(DType::kFloat32, {1}, {1.0f})});
  const GraphModule reference = ConvertToReference(prepared);
  EXPECT_NE(reference.graph.Find("activation_post_process_0"), nullptr);
  EXPECT_THROW(ConvertToReference(prepared, {.mode = Mode::kStrict}), PipelineError);
}

}  // namespace
}  // namespace qconform
