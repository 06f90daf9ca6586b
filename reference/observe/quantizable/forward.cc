#include "reference/ir/error.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/qat_forward.h"
#include "reference/observe/quantizable/observe_parts.h"
#include "reference/observe/quantizable/quantizable_modules.h"
#include "reference/ops/interpreter.h"
#include "reference/ops/quantizable.h"

namespace qconform {
namespace {

// What the part's observer makes of its result.
Tensor Observed(const Module& part, const Tensor& value) {
  const auto* observer = part.children.Find(kOutputObserver);
  return observer == nullptr ? value : ObserverOf(*observer)->Forward(value);
}

Tensor AsTensor(const Value& value, const Call& call) {
  const Tensor* tensor = value.As<Tensor>();
  if (tensor == nullptr) call.Fail("a part gave no tensor");
  return *tensor;
}

QuantizableParts ObservedParts(const Call& call) {
  QuantizableParts parts;
  parts.functions = &Registry::BuiltIn();
  parts.call = [&call](Module& child, const Tensor& x) {
    if (child.type == kQuantStubType || child.type == kDequantStubType) {
      return Observed(child, x);
    }
    const Call part(call.where() + ": " + child.type, {x});
    const auto trained = CallQatModule(child, part);
    const Value value = trained ? *trained : CallModule(child, part, Registry::BuiltIn());
    return Observed(child, AsTensor(value, call));
  };
  parts.combine = [&call](Module& child, const std::string& name, const Tensor& x,
                          const Tensor& y) {
    QuantizableParts functions;
    functions.functions = &Registry::BuiltIn();
    return Observed(child, CallFunction(functions, "torch." + name, {x, y}, call));
  };
  parts.scale = [&call](const Tensor& x, double number) {
    QuantizableParts functions;
    functions.functions = &Registry::BuiltIn();
    return CallFunction(functions, "torch.mul", {x, number}, call);
  };
  parts.requantize = [](const Tensor& x, const Tensor&) { return x; };
  return parts;
}

}  // namespace

std::optional<Value> CallQuantizable(Module& module, const Call& call) {
  if (IsQuantizableLstm(module.type)) {
    return RunQuantizableLstm(module, call, ObservedParts(call));
  }
  if (IsQuantizableAttention(module.type)) {
    return RunQuantizableAttention(module, call, ObservedParts(call));
  }
  return std::nullopt;
}

}  // namespace qconform
