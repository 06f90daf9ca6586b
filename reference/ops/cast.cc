// Tensor.to and the methods named after dtypes.
#include "reference/ops/built_in.h"
#include "reference/ops/elements.h"
#include "reference/ops/names.h"
#include "reference/ops/unary.h"

namespace qconform {
namespace {

// to(dtype), to(device), to(device, dtype), to(other); devices mean nothing here.
Value To(const Call& call) {
  const Tensor& input = PlainTensor(call, 0, "input");
  std::optional<DType> dtype;
  const auto look = [&](const Value* value) {
    if (value == nullptr) return;
    if (const DType* given = value->As<DType>()) dtype = *given;
    if (const Tensor* other = value->As<Tensor>()) dtype = other->dtype();
  };
  look(call.Find(1, "dtype"));
  look(call.Find(2, "dtype"));
  look(call.Find(1, "other"));
  for (const char* name : {"device", "non_blocking", "copy", "memory_format"}) {
    call.Ignore(3, name);
  }
  if (dtype && IsQuantizedDType(*dtype)) {
    call.Fail("dtype " + std::string(DTypeName(*dtype)), "one that is not quantized");
  }
  return dtype ? Cast(input, *dtype) : input;
}

}  // namespace

void AddCasts(Registry& registry) {
  registry.AddMethod("to", To);
  for (const auto& [name, dtype] :
       {std::pair("float", DType::kFloat32), std::pair("double", DType::kFloat64),
        std::pair("half", DType::kFloat16), std::pair("bfloat16", DType::kBFloat16),
        std::pair("int", DType::kInt32), std::pair("long", DType::kInt64),
        std::pair("bool", DType::kBool)}) {
    const DType target = dtype;
    registry.AddMethod(name, [target](const Call& call) -> Value {
      return Cast(PlainTensor(call, 0, "input"), target);
    });
  }
  registry.AddMethod("cpu",
                     [](const Call& call) -> Value { return call.TensorAt(0, "input"); });
}

}  // namespace qconform
