#include "my_npu.h"

#include <algorithm>
#include <memory>

#include "reference/observe/uniform_observer.h"
#include "reference/ops/interpreter.h"

namespace {

using namespace qconform;

class ClippedObserver : public UniformObserver {
 public:
  explicit ClippedObserver(ObserverArguments& arguments)
      // The base refuses keywords that nobody has taken, so its own come first.
      : ClippedObserver(arguments, arguments.TakeReal("limit").value_or(1)) {}

  void Observe(const Tensor& x) override {
    for (int64_t i = 0; i < x.numel(); ++i) {
      const float value = std::clamp(static_cast<float>(x.ValueAt(i)), -limit_, limit_);
      min_value_ = std::min(min_value_, value);
      max_value_ = std::max(max_value_, value);
    }
  }
  Qparams CalculateQparams() const override {
    return QparamsOf({min_value_}, {max_value_}, true);
  }
  OrderedMap<Tensor> Buffers() const override {
    OrderedMap<Tensor> buffers = EpsBuffer();
    buffers.Set("min_val", Tensor::FromVector<float>(DType::kFloat32, {}, {min_value_}));
    buffers.Set("max_val", Tensor::FromVector<float>(DType::kFloat32, {}, {max_value_}));
    return buffers;
  }
  std::shared_ptr<ModuleState> Clone() const override {
    return std::make_shared<ClippedObserver>(*this);
  }

 private:
  ClippedObserver(ObserverArguments& arguments, double limit)
      : UniformObserver(arguments, QScheme::kPerTensorAffine),
        limit_(static_cast<float>(limit)) {}

  float limit_;
  float min_value_ = 0;
  float max_value_ = 0;
};

Value RunGate(Module& module, const Call& call) {
  Tensor y = call.TensorAt(0, "x").Clone();
  const float factor = module.FindTensor("weight")->data<float>()[0];
  for (int64_t i = 0; i < y.numel(); ++i) y.data<float>()[i] *= factor;
  return y;
}

Value RunConvAddRelu(Module& module, const Call& call) {
  Module& conv = **module.children.Find("0");
  const Value y =
      CallModule(conv, Call(call.where(), {call.Get(0, "x")}), Registry::BuiltIn());
  Tensor sum = y.As<Tensor>()->Clone();
  const Tensor& shortcut = call.TensorAt(1, "shortcut");
  for (int64_t i = 0; i < sum.numel(); ++i) {
    float& value = sum.data<float>()[i];
    value = std::max(value + shortcut.data<float>()[i], 0.0F);
  }
  return sum;
}

// Of a matched (relu, (add, conv, shortcut)).
const std::vector<Argument>& PartsOfAdd(const NodePattern& pattern) {
  return pattern.As<Sequence>()->items.at(1).As<Sequence>()->items;
}

}  // namespace

void AddMyNpu(Extension& extension) {
  extension.AddObserver("my_npu.ClippedObserver", [](ObserverArguments& arguments) {
    return std::make_shared<ClippedObserver>(arguments);
  });
  extension.AddLeafModule(
      {"my_npu.Gate", RunGate, "my_npu.qat.Gate", "my_npu.reference.Gate"});
  extension.AddFusedModule("my_npu.ConvAddReLU", {"torch.nn.Conv2d"}, RunConvAddRelu);
  // Arguments come as the pattern nests them.
  extension.AddFuserMethod("my_npu.fuse_conv_add_relu", [](const FuserCall& call) {
    return MakeFusedModule("my_npu.ConvAddReLU", {call.arguments.at(1).items.at(1)});
  });
  extension.AddRootNodeGetter("my_npu.conv_of_residual", [](const NodePattern& pattern) {
    return PartsOfAdd(pattern).at(1).AsNode();
  });
  extension.AddExtraInputsGetter(
      "my_npu.shortcut_of_residual",
      [](const NodePattern& pattern) { return std::vector{PartsOfAdd(pattern).at(2)}; });
}
