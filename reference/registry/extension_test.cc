#include "reference/registry/extension.h"

#include <gtest/gtest.h>

#include "reference/config/module_types.h"
#include "reference/ir/expect_error.h"
#include "reference/observe/min_max_observer.h"
#include "reference/ops/interpreter.h"
#include "reference/qconfig/observer_settings.h"

namespace qconform {
namespace {

std::shared_ptr<Observer> MakeHalvedRange(ObserverArguments& arguments) {
  const double share = arguments.TakeReal("share").value_or(0.5);
  auto observer = std::make_shared<MinMaxObserver>(arguments);
  observer->eps = static_cast<float>(share);
  return observer;
}

Value Negate(Module&, const Call& call) {
  const Tensor& x = call.TensorAt(0, "x");
  Tensor y = x.Clone();
  for (int64_t i = 0; i < y.numel(); ++i) y.data<float>()[i] = -x.data<float>()[i];
  return y;
}

TEST(Extension, TakesItsNamesBack) {
  const ObserverConstructor constructor("mine.Observer", {{"share", 0.25}});
  EXPECT_THROW(MakeObserver(constructor), InputError);
  for (int again = 0; again < 2; ++again) {
    Extension mine("mine");
    mine.AddObserver("mine.Observer", MakeHalvedRange);
    mine.AddFuserMethod("mine.fuse",
                        [](const FuserCall& call) { return ModuleArgument(call, 0); });
    mine.AddRootNodeGetter("mine.root", DefaultRootNode);
    mine.AddExtraInputsGetter("mine.extra",
                              [](const NodePattern&) { return std::vector<Argument>(); });
    mine.AddLeafModule(
        {"mine.Negate", Negate, "mine.qat.Negate", "mine.reference.Negate"});
    mine.AddFusedModule("mine.NegateTwice", {"mine.Negate", "mine.Negate"});
    EXPECT_EQ(MakeObserver(constructor)->eps, 0.25F);
    EXPECT_EQ(MakeObserver(constructor)->class_name, "mine.Observer");
    EXPECT_TRUE(FindFuserMethod("mine.fuse"));
    EXPECT_TRUE(FindRootNodeGetter("mine.root"));
    EXPECT_TRUE(FindExtraInputsGetter("mine.extra"));
    EXPECT_TRUE(IsQatModule("mine.qat.Negate"));
    EXPECT_TRUE(IsFusedModule("mine.NegateTwice"));
  }
  EXPECT_THROW(MakeObserver(constructor), InputError);
  EXPECT_THROW(FindFuserMethod("mine.fuse"), InputError);
  EXPECT_FALSE(IsQatModule("mine.qat.Negate"));
}

TEST(Extension, DeriveFunctionsAreTakenBack) {
  {
    Extension mine("mine");
    mine.AddDeriveFunction("mine.first", [](const auto& sources) {
      return sources.front()->CalculateQparams();
    });
    EXPECT_NE(DeriveFunctions().Find("mine.first"), nullptr);
  }
  EXPECT_THROW(DeriveFunctions().Get("mine.first"), InputError);
}

// An observer's settings are known before it sees data, its own keywords included.
TEST(Extension, ObserversDescribeThemselves) {
  Extension mine("mine");
  mine.AddObserver("mine.Observer", MakeHalvedRange);
  const ObserverSettings settings = DescribeObserver(
      {"mine.Observer",
       {{"dtype", DType::kQInt8}, {"quant_min", -127}, {"quant_max", 127}}});
  EXPECT_EQ(settings.dtype, DType::kQInt8);
  EXPECT_EQ(settings.qscheme, "torch.per_tensor_affine");
  EXPECT_EQ(settings.quant_min, -127);
  EXPECT_EQ(settings.quant_max, 127);
  EXPECT_EQ(settings.eps, 0.5F);
  EXPECT_TRUE(IsObserverClass("mine.Observer"));
  // A keyword that nobody takes is the user's mistake.
  EXPECT_THROW(MakeObserver({"mine.Observer", {{"shore", 0.5}}}), PipelineError);
  // As the observer of a fake-quantizer.
  const auto inner = std::make_shared<ObserverConstructor>("mine.Observer");
  const ObserverConstructor outer("FakeQuantize", {{"dtype", DType::kQInt8}}, inner);
  EXPECT_EQ(MakeObserver(outer)->ActivationPostProcess()->class_name, "mine.Observer");
  const ObserverSettings nested = DescribeObserver(outer);
  EXPECT_TRUE(nested.is_fake_quantize);
  EXPECT_EQ(nested.dtype, DType::kQInt8);
  EXPECT_EQ(nested.observer_class_name, "mine.Observer");
}

TEST(Extension, RunsItsModules) {
  Extension mine("mine");
  mine.AddLeafModule({"mine.Negate", Negate, "", ""});
  mine.AddFusedModule("mine.NegateTwice", {"mine.Negate", "mine.Negate"});
  auto negate = std::make_shared<Module>();
  negate->type = "mine.Negate";
  Module twice;
  twice.type = "mine.NegateTwice";
  twice.children = {{"0", negate}, {"1", negate}};
  const Tensor x = Tensor::FromVector<float>(DType::kFloat32, {1}, {3});
  const auto run = [&](Module& module) {
    return CallModule(module, Call("test", {x}), Registry::BuiltIn())
        .As<Tensor>()
        ->ValueAt(0);
  };
  EXPECT_EQ(run(*negate), -3);
  EXPECT_EQ(run(twice), 3);
  negate->type = "mine.Negat";
  EXPECT_NE(ErrorOf([&] { run(*negate); }).find("the nearest is 'mine.Negate'"),
            std::string::npos);
}

TEST(Extension, RefusesNamesThatAreTaken) {
  Extension mine("mine");
  Extension theirs("theirs");
  mine.AddObserver("mine.Observer", MakeHalvedRange);
  EXPECT_EQ(
      ErrorOf([&] { theirs.AddObserver("mine.Observer", MakeHalvedRange); }),
      "observer class 'mine.Observer' of theirs: mine registered this name already, "
      "expected another name");
  EXPECT_EQ(ErrorOf([&] { mine.AddObserver("MinMaxObserver", MakeHalvedRange); }),
            "observer class 'MinMaxObserver' of mine: bare names and torch's are "
            "qconform's, expected a name with a module, 'mine.MinMaxObserver'");
  const auto add_linear = [&] {
    mine.AddLeafModule({"torch.nn.Linear", Negate, "", ""});
  };
  EXPECT_EQ(ErrorOf(add_linear),
            "module class 'torch.nn.Linear' of mine: qconform registered this name "
            "already, expected another name");
  mine.AddFunction("mine.f", [](const Call&) { return Value(1); });
  EXPECT_NE(
      ErrorOf([&] { theirs.AddFunction("mine.f", nullptr); }).find("of theirs: mine"),
      std::string::npos);
  EXPECT_NE(ErrorOf([&] { theirs.AddMethod("relu", nullptr); }).find("qconform"),
            std::string::npos);
}

}  // namespace
}  // namespace qconform
