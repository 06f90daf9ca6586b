#include "reference/ops/interpreter.h"

#include <omp.h>

#include "reference/ir/error.h"
#include "reference/ops/ops_testing.h"

namespace qconform {
namespace {

std::shared_ptr<Module> MakeConv(Shape weight, int64_t seed) {
  auto conv = std::make_shared<Module>();
  conv->type = "torch.nn.Conv2d";
  conv->parameters.Set("bias", Pattern({weight[0]}, seed + 1));
  conv->parameters.Set("weight", Pattern(std::move(weight), seed));
  conv->attributes.Set("padding", Argument::Tuple({1, 1}));
  return conv;
}

std::shared_ptr<Module> MakeRelu(bool in_place) {
  auto relu = std::make_shared<Module>();
  relu->type = "torch.nn.ReLU";
  relu->attributes.Set("inplace", in_place);
  return relu;
}

// x -> conv -> relu -> add(relu, conv) -> output
GraphModule ConvReluAdd(bool in_place) {
  GraphModule module;
  module.SetModule("conv", MakeConv({8, 4, 3, 3}, 5));
  module.SetModule("relu", MakeRelu(in_place));
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* conv = module.graph.Append(Op::kCallModule, "conv", {x});
  Node* relu = module.graph.Append(Op::kCallModule, "relu", {conv});
  Node* sum = module.graph.Append(Op::kCallFunction, "operator.add", {relu, conv});
  module.graph.Append(Op::kOutput, "output", {sum});
  return module;
}

std::string ErrorOf(const GraphModule& module, const std::vector<Value>& inputs) {
  try {
    Interpreter(module).Run(inputs);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Interpreter, InPlaceOperatorsChangeWhatOthersRead) {
  const Tensor x = Pattern({1, 4, 3, 3}, 1);
  const GraphModule apart = ConvReluAdd(false);
  const GraphModule shared = ConvReluAdd(true);
  const Value a = Interpreter(apart).Run({x});
  const Value b = Interpreter(shared).Run({x});
  for (int64_t i = 0; i < a.As<Tensor>()->numel(); ++i) {
    // relu(c) + c against relu(c) + relu(c).
    const float from_conv = a.As<Tensor>()->data<float>()[i];
    const float positive = from_conv > 0 ? from_conv : 0.0f;
    EXPECT_EQ(b.As<Tensor>()->data<float>()[i], positive);
  }
}

TEST(Interpreter, SameBytesOnOneThreadAndTwo) {
  const GraphModule module = ConvReluAdd(false);
  Tensor x(DType::kFloat32, {4, 4, 40, 40});
  for (int64_t i = 0; i < x.numel(); ++i) {
    // Not multiples of a power of two: here the order of a sum shows.
    x.data<float>()[i] = static_cast<float>((i * 2654435761u) % 1000003) / 1000003.0f;
  }
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Value one = Interpreter(module).Run({x});
  omp_set_num_threads(2);
  const Value two = Interpreter(module).Run({x});
  omp_set_num_threads(before);
  EXPECT_TRUE(BitEqual(*one.As<Tensor>(), *two.As<Tensor>()));
}

TEST(Interpreter, HooksSeeEveryNodeAndReplaceModules) {
  const GraphModule module = ConvReluAdd(false);
  Interpreter interpreter(module);
  std::vector<std::string> names;
  interpreter.set_node_hook(
      [&](const Node& node, const Value&) { names.push_back(node.name()); });
  interpreter.set_module_hook([&](const Node&, Module& called, const Call& call) {
    return called.type == "torch.nn.ReLU" ? std::optional<Value>(call.args().at(0))
                                          : std::nullopt;
  });
  const Tensor x = Pattern({1, 4, 3, 3}, 1);
  const Value doubled = interpreter.Run({x});
  EXPECT_EQ(names, (std::vector<std::string>{"x", "conv", "relu", "add", "output"}));
  EXPECT_LT(doubled.As<Tensor>()->data<float>()[0], 0.0f);
}

TEST(Interpreter, PlaceholderDefaultsAndNestedOutputs) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* k = module.graph.Append(Op::kPlaceholder, "k", {Argument(3)});
  Node* sum = module.graph.Append(Op::kCallFunction, "operator.add", {x, k});
  module.graph.Append(Op::kOutput, "output",
                      {Argument(Dictionary{{{"sum", Argument::List({sum, k})}}})});
  const Value result = Interpreter(module).Run({Pattern({1}, 1)});
  const Value& list = result.As<ValueDictionary>()->items.at(0).second;
  ExpectTensor(list.As<ValueSequence>()->items.at(0), {1}, {2.75f});
  EXPECT_EQ(*list.As<ValueSequence>()->items.at(1).As<int64_t>(), 3);
}

TEST(Interpreter, UnknownOperatorNamesTheNode) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* node = module.graph.Append(Op::kCallFunction, "torch.nosuch", {x});
  module.graph.Append(Op::kOutput, "output", {node});
  EXPECT_EQ(ErrorOf(module, {Pattern({1}, 1)}),
            "node 'nosuch' (call_function torch.nosuch): no definition of this operator");
}

TEST(Interpreter, UnknownModuleClassNamesTheNode) {
  GraphModule module;
  auto unknown = std::make_shared<Module>();
  unknown->type = "NoSuch";
  module.SetModule("m", unknown);
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* node = module.graph.Append(Op::kCallModule, "m", {x});
  module.graph.Append(Op::kOutput, "output", {node});
  EXPECT_EQ(ErrorOf(module, {Pattern({1}, 1)}),
            "node 'm' (call_module m: NoSuch): no definition of module class 'NoSuch', "
            "expected a registered name");
}

TEST(Interpreter, UnreadArgumentIsAnError) {
  GraphModule module;
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* node = module.graph.Append(Op::kCallFunction, "torch.nn.functional.relu", {x},
                                   {{"slope", Argument(2)}});
  module.graph.Append(Op::kOutput, "output", {node});
  EXPECT_NE(ErrorOf(module, {Pattern({1}, 1)})
                .find("argument 'slope' (int 2) is not supported"),
            std::string::npos);
}

TEST(Interpreter, WrongShapesAndCountsAreErrors) {
  const GraphModule module = ConvReluAdd(false);
  EXPECT_NE(ErrorOf(module, {Pattern({1, 3, 3, 3}, 1)}).find("node 'conv'"),
            std::string::npos);
  EXPECT_NE(ErrorOf(module, {}).find("no input value"), std::string::npos);
  EXPECT_EQ(ErrorOf(module, {Pattern({1, 4, 3, 3}, 1), 2}),
            "graph: 2 inputs, expected 1 placeholders");
}

TEST(Interpreter, IntrinsicModulesRunTheirChildren) {
  GraphModule module;
  auto fused = std::make_shared<Module>();
  fused->type = "torch.ao.nn.intrinsic.ConvReLU2d";
  fused->children.Set("0", MakeConv({8, 4, 3, 3}, 5));
  fused->children.Set("1", MakeRelu(false));
  module.SetModule("conv", fused);
  Node* x = module.graph.Append(Op::kPlaceholder, "x");
  Node* node = module.graph.Append(Op::kCallModule, "conv", {x});
  module.graph.Append(Op::kOutput, "output", {node});
  const Tensor input = Pattern({1, 4, 3, 3}, 1);
  const Value result = Interpreter(module).Run({input});
  const Value in_place = Interpreter(ConvReluAdd(true)).Run({input});
  for (int64_t i = 0; i < result.As<Tensor>()->numel(); ++i) {
    EXPECT_EQ(2 * result.As<Tensor>()->data<float>()[i],
              in_place.As<Tensor>()->data<float>()[i]);
  }
}

TEST(Interpreter, ZeroSizedTensorsPass) {
  const GraphModule module = ConvReluAdd(false);
  const Value result = Interpreter(module).Run({Tensor(DType::kFloat32, {0, 4, 3, 3})});
  EXPECT_EQ(result.As<Tensor>()->shape(), (Shape{0, 8, 3, 3}));
  ExpectTensor(CallByName("torch.nn.functional.linear",
                          {Tensor(DType::kFloat32, {2, 0}),
                           Tensor(DType::kFloat32, {3, 0}), Pattern({3}, 1)}),
               {2, 3}, {-0.25f, 0.625f, 1.5f, -0.25f, 0.625f, 1.5f});
  ExpectTensor(CallByName("torch.sum", {Tensor(DType::kFloat32, {2, 0}), 1}), {2},
               {0.0f, 0.0f});
  ExpectTensor(CallByName("operator.add", {Tensor(DType::kFloat32, {0, 3}), 1}), {0, 3},
               {});
  ExpectTensor(
      CallByName("torch.cat",
                 {Value::List({Tensor(DType::kFloat32, {0}), Pattern({1, 2}, 1)})}),
      {1, 2}, {-0.25f, 0.625f});
}

}  // namespace
}  // namespace qconform
