#include "reference/observe/qat_forward.h"

#include <cmath>

#include "reference/config/module_types.h"
#include "reference/ir/error.h"
#include "reference/observe/observer_module.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

std::shared_ptr<Module> ChildOf(const Module& module, const std::string& name) {
  const auto* child = module.children.Find(name);
  return child == nullptr ? nullptr : *child;
}

// Channel of element i of a tensor [N, C, ...]; torch takes a linear's along the last
// axis, whatever the rank.
int64_t ChannelOf(const Tensor& x, int64_t i, bool is_linear) {
  if (is_linear) return i % x.dim(x.rank() - 1);
  int64_t inner = 1;
  for (int axis = 2; axis < x.rank(); ++axis) inner *= x.dim(axis);
  return i / inner % x.dim(1);
}

// gamma / sqrt(running_var + eps), in float32 step by step as torch takes it.
std::vector<float> ScaleFactor(const Module& bn) {
  const Tensor& variance = *bn.FindTensor("running_var");
  const Tensor& weight = *bn.FindTensor("weight");
  const float eps = static_cast<float>(bn.Real("eps", 1e-5));
  std::vector<float> factor;
  for (int64_t c = 0; c < variance.numel(); ++c) {
    factor.push_back(weight.data<float>()[c] /
                     std::sqrt(variance.data<float>()[c] + eps));
  }
  return factor;
}

Tensor Run(Module& module, const Call& call) {
  const Value value = CallModule(module, call, Registry::BuiltIn());
  const Tensor* tensor = value.As<Tensor>();
  if (tensor == nullptr) call.Fail("no tensor came out");
  return *tensor;
}

// conv(x, fq(w * k)) / k + b, then the batch norm; k as ScaleFactor.
// (_ConvBnNd._forward_approximate)
Tensor RunWithBatchNorm(const Module& module, Module& weighted, Module& bn,
                        Observer& fake_quant, const Call& call) {
  const std::vector<float> factor = ScaleFactor(bn);
  Tensor weight = module.FindTensor("weight")->Clone();
  const int64_t row = weight.numel() / weight.dim(0);
  for (int64_t i = 0; i < weight.numel(); ++i) weight.data<float>()[i] *= factor[i / row];
  weighted.parameters.Set("weight", fake_quant.Forward(weight));
  weighted.parameters.Set("bias", std::nullopt);
  Tensor y = Run(weighted, call);
  const Tensor* bias = module.FindTensor("bias");
  const bool is_linear = weighted.type == "torch.nn.Linear";
  for (int64_t i = 0; i < y.numel(); ++i) {
    const int64_t c = ChannelOf(y, i, is_linear);
    float& value = y.data<float>()[i];
    value /= factor[c];
    if (bias != nullptr) value += bias->data<float>()[c];
  }
  return Run(bn, Call(call.where(), {y}));
}

}  // namespace

std::optional<Value> CallQatModule(Module& module, const Call& call) {
  if (!IsQatModule(module.type)) return std::nullopt;
  const ModuleType* type = FindModuleType(module.type);
  const std::shared_ptr<Observer> fake_quant =
      ObserverOf(ChildOf(module, "weight_fake_quant"));
  if (type == nullptr || fake_quant == nullptr) {
    call.Fail("module " + module.type + " is incomplete",
              "a QAT module with its weight_fake_quant");
  }
  Module weighted;
  weighted.type = type->weighted_module;
  weighted.attributes = module.attributes;
  weighted.attributes.Erase("freeze_bn");
  weighted.parameters = module.parameters;
  Tensor y;
  if (const std::shared_ptr<Module> bn = ChildOf(module, "bn")) {
    y = RunWithBatchNorm(module, weighted, *bn, *fake_quant, call);
  } else {
    weighted.parameters.Set("weight", fake_quant->Forward(*module.FindTensor("weight")));
    y = Run(weighted, call);
  }
  if (module.type.find("ReLU") != std::string::npos) {
    for (int64_t i = 0; i < y.numel(); ++i) {
      float& value = y.data<float>()[i];
      if (value < 0) value = 0;
    }
  }
  return y;
}

}  // namespace qconform
