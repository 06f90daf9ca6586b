// pytorch/pytorch#82708, #88620, #47423: operators whose output parameters are constants,
// from the default mapping to the codes. (What is refused:
// observe/pattern_support_test.cc.)
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/convert/test_model.h"
#include "reference/numerics/quantize.h"
#include "reference/observe/make_observer.h"
#include "reference/qconfig/default_qconfig.h"

namespace qconform {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Case {
  const char* type;
  float scale;
  int64_t zero_point;
};

TEST(FixedOperators, HaveTheirConstantParameters) {
  for (const Case& c : {Case{"torch.nn.Sigmoid", 0.00390625f, 0},
                        Case{"torch.nn.Hardsigmoid", 0.00390625f, 0},
                        Case{"torch.nn.Softmax", 0.00390625f, 0},
                        Case{"torch.nn.Tanh", 0.0078125f, 128}}) {
    for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
      const std::shared_ptr<Module> module = ModuleOf(c.type);
      module->attributes = {{"inplace", false}, {"dim", -1}};
      const GraphModule model = Chain({module});
      const GraphModule converted = Converted(Calibrated(
          model, GetDefaultQConfigMapping("x86"), {RealTensor({1, 2}, {-1, 1})}, mode));
      // The output's: the last quantize.
      const Node* quantize = nullptr;
      for (const Node& node : converted.graph.nodes()) {
        if (node.target() == "torch.quantize_per_tensor") quantize = &node;
      }
      ASSERT_NE(quantize, nullptr) << c.type;
      const Tensor& scale = *converted.FindTensor(quantize->args()[1].AsNode()->target());
      const Tensor& zero_point =
          *converted.FindTensor(quantize->args()[2].AsNode()->target());
      EXPECT_EQ(scale.ValueAt(0), c.scale) << c.type;
      EXPECT_EQ(zero_point.IntegerAt(0), c.zero_point) << c.type;
    }
  }
}

TEST(FixedOperators, SaturateAtTheEnds) {
  for (const QuantizeMode mode : {QuantizeMode::kTorch, QuantizeMode::kStrict}) {
    const auto code = [mode](float x, float scale, int64_t zero_point) {
      return QuantizePerTensor(RealTensor({1}, {x}), scale, zero_point, DType::kQUInt8,
                               mode)
          .IntegerAt(0);
    };
    EXPECT_EQ(code(0.999f, 0.00390625f, 0), 255);  // 255.744
    EXPECT_EQ(code(std::tanh(-kInfinity), 0.0078125f, 128), 0);
    EXPECT_EQ(code(std::tanh(0.0f), 0.0078125f, 128), 128);
  }
}

// pytorch/pytorch#47423: in training, too, codes go up to 255: what lies above the
// midpoint passes. torch's own numbers.
TEST(FixedOperators, FakeQuantizersHaveTheRangeOfQUInt8) {
  struct Row {
    const char* type;
    std::vector<float> x;
    std::vector<double> y;
  };
  for (const Row& row : {Row{"torch.nn.Sigmoid",
                             {0, 0.25f, 0.5f, 0.75f, 0.999f, 1},
                             {0, 0.25, 0.5, 0.75, 0.99609375, 0.99609375}},
                         Row{"torch.nn.Tanh",
                             {-1, -0.5f, 0, 0.75f, 0.999f, 1},
                             {-1, -0.5, 0, 0.75, 0.9921875, 0.9921875}}}) {
    const QConfigMapping mapping = GetDefaultQatQConfigMapping("x86");
    const QConfigPointer* qconfig = mapping.object_type.Find(row.type);
    ASSERT_NE(qconfig, nullptr) << row.type;
    for (const Mode mode : {Mode::kTorch, Mode::kStrict}) {
      const auto observer = MakeObserver(*(*qconfig)->activation, mode);
      EXPECT_TRUE(observer->IsFakeQuantize());
      const Tensor y =
          observer->Forward(RealTensor({static_cast<int64_t>(row.x.size())}, row.x));
      EXPECT_EQ(ValuesOf(y), row.y) << row.type;
    }
  }
}

}  // namespace
}  // namespace qconform
