// Which QAT classes prepare puts in, and what it refuses.
#include "reference/observe/qat_swap.h"

#include <gtest/gtest.h>

#include "reference/backends/backends.h"
#include "reference/config/module_types.h"
#include "reference/ir/expect_error.h"
#include "reference/observe/prepare.h"
#include "reference/qconfig/test_mapping.h"

namespace qconform {
namespace {

GraphModule LinearModel() {
  GraphModule model;
  auto linear = std::make_shared<Module>();
  linear->type = "torch.nn.Linear";
  linear->training = true;
  linear->attributes = {{"in_features", 2}, {"out_features", 1}};
  linear->parameters.Set(
      "weight", Tensor::FromVector<float>(DType::kFloat32, {1, 2}, {0.5f, -1.0f}));
  linear->parameters.Set("bias", std::nullopt);
  model.SetModule("linear", linear);
  Node* x = model.graph.Append(Op::kPlaceholder, "x");
  Node* y = model.graph.Append(Op::kCallModule, "linear", {x});
  model.graph.Append(Op::kOutput, "output", {y});
  return model;
}

// x86 with another class for the training of torch.nn.Linear.
Prepared PrepareWith(const std::string& qat_module, const QConfigMapping& mapping) {
  auto config = std::make_shared<BackendConfig>(BuiltInBackendConfig("x86"));
  BackendPatternConfig entry = *config->FindSingle("torch.nn.Linear");
  entry.qat_module = qat_module;
  config->Set(entry);
  BackendPatternConfig trained = *config->FindSingle("torch.ao.nn.qat.Linear");
  trained.pattern = Pattern::Module(qat_module);
  config->Set(trained);
  PrepareOptions options;
  options.is_qat = true;
  return PrepareFx(LinearModel(), mapping, config, options);
}

ObserverConstructor Activation(double averaging_constant, bool is_dynamic) {
  return ObserverConstructor(
      "FakeQuantize",
      {{"dtype", DType::kQUInt8},
       {"quant_min", 0},
       {"quant_max", 255},
       {"is_dynamic", is_dynamic},
       {"averaging_constant", averaging_constant}},
      std::make_shared<ObserverConstructor>("MovingAverageMinMaxObserver"));
}

QConfigMapping Dynamic(double averaging_constant, bool is_dynamic = true) {
  return Everywhere(Activation(averaging_constant, is_dynamic),
                    ObserverConstructor("FakeQuantize", {{"dtype", DType::kQInt8},
                                                         {"quant_min", -128},
                                                         {"quant_max", 127}}));
}

TEST(QatSwap, RefusesAClassOfWhichNothingIsKnown) {
  for (const char* name : {"npu.QatLinear", "torch.ao.nn.qat.Linaer", "torch.nn.ReLU"}) {
    EXPECT_EQ(ErrorOf([&] { PrepareWith(name, Dynamic(1)); }),
              "qat_module " + std::string(name) +
                  ": nothing is known of this class, expected a QAT class of torch or "
                  "the qat_type of a registered module");
  }
  Module stray;
  stray.type = "torch.ao.nn.qat.Linaer";
  EXPECT_NE(ErrorOf([&] { QatModuleToFloat(stray); }), "no error");
}

// torch: AssertionError "qat.Conv2d.from_float only works for Conv2d, got Linear"
TEST(QatSwap, RefusesAClassThatIsMadeFromAnother) {
  EXPECT_EQ(ErrorKindOf([] { PrepareWith("torch.ao.nn.qat.Conv2d", Dynamic(1)); }),
            "AssertionError");
}

// torch: ValueError "Dynamic QAT requires a memoryless observer" unless
// averaging_constant is 1.
TEST(QatSwap, DynamicLinearWantsAnObserverWithoutMemory) {
  const std::string name = "torch.ao.nn.qat.dynamic.Linear";
  EXPECT_EQ(ErrorKindOf([&] { PrepareWith(name, Dynamic(0.01, false)); }), "ValueError");
  // The observer itself refuses to be dynamic.
  EXPECT_EQ(ErrorKindOf([&] { PrepareWith(name, Dynamic(0.01)); }),
            "NotImplementedError");
  EXPECT_EQ(ErrorKindOf([&] {
              PrepareWith(name, Everywhere(ObserverConstructor("MinMaxObserver"),
                                           ObserverConstructor("MinMaxObserver")));
            }),
            "ValueError");
  const Prepared prepared = PrepareWith(name, Dynamic(1));
  const std::shared_ptr<Module> linear = prepared.module.FindModule("linear");
  EXPECT_EQ(linear->type, name);
  EXPECT_EQ(FloatClassOf(name), "torch.nn.Linear");
  EXPECT_EQ(QatModuleToFloat(*linear)->type, "torch.nn.Linear");
}

TEST(QatSwap, KnowsTheFloatClassOfEveryQatClass) {
  // (to_float of each)
  const std::pair<const char*, const char*> rows[] = {
      {"torch.ao.nn.qat.Conv3d", "torch.nn.Conv3d"},
      {"torch.ao.nn.qat.Embedding", "torch.nn.Embedding"},
      {"torch.ao.nn.intrinsic.qat.ConvBn1d", "torch.nn.Conv1d"},
      {"torch.ao.nn.intrinsic.qat.ConvBnReLU2d", "torch.ao.nn.intrinsic.ConvReLU2d"},
      {"torch.ao.nn.intrinsic.qat.LinearReLU", "torch.ao.nn.intrinsic.LinearReLU"},
      {"torch.ao.nn.intrinsic.qat.LinearBn1d", "torch.nn.Linear"},
      {"torch.nn.Linear", "torch.nn.Linear"},
      {"npu.Unheard", "npu.Unheard"}};
  for (const auto& [qat, plain] : rows) EXPECT_EQ(FloatClassOf(qat), plain) << qat;
  // The name says nothing.
  const char* linear = "torch.nn.Linear";
  const char* fused = "torch.ao.nn.intrinsic.LinearReLU";
  NameTable<ModuleType>& types = UserModuleTypes();
  types.Add("npu.NoReLUHere", {"npu.NoReLUHere", false, {}, linear, linear});
  types.Add("npu.Clamped", {"npu.Clamped", false, {}, fused, linear});
  EXPECT_EQ(FloatClassOf("npu.NoReLUHere"), linear);
  EXPECT_EQ(FloatClassOf("npu.Clamped"), fused);
  types.Remove("npu.NoReLUHere");
  types.Remove("npu.Clamped");
}

}  // namespace
}  // namespace qconform
