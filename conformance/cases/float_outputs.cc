#include "conformance/cases/float_outputs.h"

#include "reference/ir/error.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

bool IsObserver(const Module& module) {
  return module.type.starts_with("torch.ao.quantization.observer.");
}

// Observers see and change nothing; fake-quantizers would round.
std::optional<Value> PassOn(const Node&, Module& module, const Call& call) {
  if (!IsObserver(module) || call.args().empty()) return std::nullopt;
  return call.args()[0];
}

void Gather(const Value& value, std::vector<Tensor>& tensors) {
  if (const Tensor* tensor = value.As<Tensor>()) tensors.push_back(*tensor);
  if (const ValueSequence* sequence = value.As<ValueSequence>())
    for (const Value& item : sequence->items) Gather(item, tensors);
  if (const ValueDictionary* dictionary = value.As<ValueDictionary>())
    for (const auto& [key, item] : dictionary->items) Gather(item, tensors);
}

}  // namespace

std::optional<std::vector<Tensor>> FloatOutputs(const Golden& golden,
                                                const std::vector<Tensor>& inputs) {
  if (!golden.prepared) return std::nullopt;
  for (const Tensor& input : inputs)
    if (input.dtype() != DType::kFloat32) return std::nullopt;
  try {
    Interpreter interpreter(*golden.prepared);
    interpreter.set_module_hook(PassOn);
    std::vector<Tensor> outputs;
    Gather(interpreter.Run({inputs.begin(), inputs.end()}), outputs);
    return outputs;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace qconform
