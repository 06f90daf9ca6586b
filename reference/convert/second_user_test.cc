// pytorch/pytorch#140846: y = layer(x), relu(y) + y. A layer whose result is used twice
// keeps parameters of its own, or the second user would get the clamped value.
#include <gtest/gtest.h>

#include "reference/convert/test_model.h"
#include "reference/observe/observer_module.h"

namespace qconform {
namespace {

std::shared_ptr<Module> Identity(const std::string& type) {
  if (type != "torch.nn.Linear") return Conv2d(type, RealTensor({1, 1, 1, 1}, {1}));
  auto linear = ModuleOf(type);
  linear->attributes = {{"in_features", 1}, {"out_features", 1}};
  linear->parameters.Set("weight", RealTensor({1, 1}, {1}));
  linear->parameters.Set("bias", std::nullopt);
  return linear;
}

struct Case {
  const char* type;
  bool has_batch_norm;
};

TEST(SecondUser, OfALayerBeforeReluKeepsItsSign) {
  for (const Case& c :
       {Case{"torch.nn.Conv2d", false}, Case{"torch.nn.Linear", false},
        Case{"torch.nn.ConvTranspose2d", false}, Case{"torch.nn.Conv2d", true}}) {
    GraphModule model;
    model.SetModule("layer", Identity(c.type));
    model.SetModule("relu", ModuleOf("torch.nn.ReLU"));
    Node* x = model.graph.Append(Op::kPlaceholder, "x");
    Node* y = model.graph.Append(Op::kCallModule, "layer", {x});
    if (c.has_batch_norm) {
      model.SetModule("bn", BatchNorm2d(0, 1, 1, 0));
      y = model.graph.Append(Op::kCallModule, "bn", {y});
    }
    Node* relu = model.graph.Append(Op::kCallModule, "relu", {y});
    Node* sum = model.graph.Append(Op::kCallFunction, "operator.add", {relu, y});
    model.graph.Append(Op::kOutput, "output", {sum});

    for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
      const ObserverConstructor activation("MinMaxObserver", {{"dtype", DType::kQUInt8}});
      const ObserverConstructor weight(
          "MinMaxObserver",
          {{"dtype", DType::kQInt8}, {"qscheme", "torch.per_tensor_symmetric"}});
      const Shape shape =
          c.type == std::string("torch.nn.Linear") ? Shape{2, 1} : Shape{2, 1, 1, 1};
      const Prepared prepared = Calibrated(model, Everywhere(activation, weight),
                                           {RealTensor(shape, {-2, 2})}, mode);
      // x, y, relu(y) and the sum: four observers, one of them on y alone.
      std::vector<std::string> observed;
      for (const Node& node : prepared.module.graph.nodes()) {
        if (node.op() == Op::kCallModule &&
            ObserverOf(prepared.module.FindModule(node.target()))) {
          observed.push_back(node.args()[0].AsNode()->name());
        }
      }
      EXPECT_EQ(observed, (std::vector<std::string>{"x", "layer", "relu", "add"}))
          << c.type;
      // relu keeps the scale of its input; the sum has its own.
      EXPECT_EQ(prepared.module.FindModule("activation_post_process_1"),
                prepared.module.FindModule("activation_post_process_2"));
      EXPECT_NE(prepared.module.FindModule("activation_post_process_1"),
                prepared.module.FindModule("activation_post_process_3"));
      const GraphModule converted = Converted(prepared);
      const double step = 4.0 / 255;
      Shape one = shape;
      one[0] = 1;
      EXPECT_NEAR(OutputOf(converted, RealTensor(one, {-2})).ValueAt(0), -2, step / 2)
          << c.type;
    }
  }
}

}  // namespace
}  // namespace qconform
