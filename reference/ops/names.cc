#include "reference/ops/names.h"

#include <cstring>

#include "reference/ops/elements.h"

namespace qconform {

Tensor WriteInto(const Tensor& target, const Tensor& result, const Call& call) {
  if (result.shape() != target.shape()) {
    call.Fail("the result has shape " + ShapeText(result.shape()),
              ShapeText(target.shape()) + " to work in place");
  }
  const Tensor rounded = Cast(result, target.dtype());
  Tensor shared = target;
  if (shared.numel() > 0 && shared.bytes() != rounded.bytes()) {
    std::memcpy(shared.bytes(), rounded.bytes(), shared.byte_size());
  }
  return shared;
}

FunctionDefinition InPlace(const FunctionDefinition& definition) {
  return [definition](const Call& call) -> Value {
    const Value result = definition(call);
    const Tensor* tensor = result.As<Tensor>();
    if (tensor == nullptr) return result;  // Python numbers have no storage
    return WriteInto(call.TensorAt(0, "input"), *tensor, call);
  };
}

void AddTensorFunction(Registry& registry, const std::string& name,
                       const FunctionDefinition& definition) {
  registry.AddFunction("torch." + name, definition);
  registry.AddMethod(name, definition);
}

void AddInPlaceFunction(Registry& registry, const std::string& name,
                        const FunctionDefinition& definition) {
  AddTensorFunction(registry, name + "_", InPlace(definition));
}

void AddNnFunction(Registry& registry, const std::string& name,
                   const FunctionDefinition& definition) {
  registry.AddFunction("torch.nn.functional." + name, definition);
}

}  // namespace qconform
