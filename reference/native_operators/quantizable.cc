// torch.ao.nn.quantized.LSTM and MultiheadAttention, and the parts that only they have.
#include "reference/ops/quantizable.h"

#include "reference/native_operators/native_families.h"
#include "reference/native_operators/through_float.h"
#include "reference/numerics/quantize.h"
#include "reference/ops/interpreter.h"

namespace qconform {
namespace {

Tensor AsTensor(const Value& value, const Call& call) {
  const Tensor* tensor = value.As<Tensor>();
  if (tensor == nullptr) call.Fail("a part gave no tensor");
  return *tensor;
}

// `functions` outlives what this returns.
QuantizableParts QuantizedParts(const Registry& functions, const Call& call) {
  QuantizableParts parts;
  parts.functions = &functions;
  parts.call = [&functions, &call](Module& child, const Tensor& x) {
    const Call part(call.where() + ": " + child.type, {x});
    return AsTensor(CallModule(child, part, functions), call);
  };
  parts.combine = [&functions, &call](Module& child, const std::string& name,
                                      const Tensor& x, const Tensor& y) {
    QuantizableParts own;
    own.functions = &functions;
    return CallFunction(own, "quantized." + name,
                        {x, y, child.Real("scale", 1.0), child.Integer("zero_point", 0)},
                        call);
  };
  parts.scale = [&functions, &call](const Tensor& x, double number) {
    QuantizableParts own;
    own.functions = &functions;
    return CallFunction(own, "quantized.mul", {x, number}, call);
  };
  parts.requantize = [](const Tensor& x, const Tensor& like) {
    if (!like.quantization() || x.quantization() == like.quantization()) return x;
    return *QuantizeValue(x.quantization() ? Dequantize(x) : x, *like.quantization(),
                          like.dtype())
                .As<Tensor>();
  };
  return parts;
}

Value QuantizeModule(Module& module, const Call& call) {
  const Tensor* scale = module.FindTensor("scale");
  const Tensor* zero_point = module.FindTensor("zero_point");
  if (scale == nullptr || zero_point == nullptr) call.Fail("no scale or zero_point");
  DType dtype = DType::kQUInt8;
  if (const Argument* given = module.attributes.Find("dtype")) {
    if (const DType* own = given->As<DType>()) dtype = *own;
  }
  return QuantizePerTensor(call.TensorAt(0, "X"), scale->ValueAt(0),
                           zero_point->IntegerAt(0), dtype);
}

Value DequantizeModule(Module&, const Call& call) {
  return Dequantize(call.TensorAt(0, "Xq"));
}

}  // namespace

void AddNativeQuantizable(Registry& registry) {
  registry.AddModule("torch.ao.nn.quantized.Quantize", QuantizeModule);
  registry.AddModule("torch.ao.nn.quantized.DeQuantize", DequantizeModule);
  // The parts are looked up in what the registry holds now.
  const auto functions = std::make_shared<const Registry>(registry);
  registry.AddModule(
      "torch.ao.nn.quantized.LSTM", [functions](Module& module, const Call& call) {
        return RunQuantizableLstm(module, call, QuantizedParts(*functions, call));
      });
  registry.AddModule("torch.ao.nn.quantized.MultiheadAttention",
                     [functions](Module& module, const Call& call) {
                       return RunQuantizableAttention(module, call,
                                                      QuantizedParts(*functions, call));
                     });
}

}  // namespace qconform
