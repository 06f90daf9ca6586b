// Float operators on quantized tensors. The result has the parameters of the input, or
// the fixed ones of sigmoid and tanh; codes that only move or compare come out as they
// were, because an 8-bit code survives dequantize and quantize.
#include "reference/native/special_operators.h"
#include "reference/native_operators/averages.h"
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/through_float.h"

namespace qconform {
namespace {

// (qsigmoid, qhardsigmoid, qtanh)
QuantizationParameters FixedParameters(const std::string& name, DType dtype) {
  const bool is_signed = dtype == DType::kQInt8;
  if (name == "tanh" || name == "tanh_" || name == "Tanh") {
    return PerTensor(2.0 / 256, is_signed ? 0 : 128);
  }
  return PerTensor(1.0 / 256, is_signed ? -128 : 0);
}

QuantizationParameters ParametersFor(const std::string& name, SpecialKind kind,
                                     const Tensor& input) {
  return kind == SpecialKind::kFixedQparams ? FixedParameters(name, input.dtype())
                                            : *input.quantization();
}

std::string LastPart(const std::string& name) { return name.substr(name.rfind('.') + 1); }

FunctionDefinition Quantized(const std::string& name, SpecialKind kind,
                             const FunctionDefinition& base) {
  return [name, kind, base](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    const Call real = DequantizedCall(call);
    const Value value = base(real);
    real.CheckAllRead();
    return QuantizeValue(value, ParametersFor(name, kind, *input), input->dtype());
  };
}

// Interpolates the codes themselves; the zero point is taken off before rounding.
// (upsample_bilinear2d_out_frame)
FunctionDefinition Interpolated(const FunctionDefinition& base) {
  return [base](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    Tensor codes(DType::kFloat32, input->shape());
    for (int64_t i = 0; i < codes.numel(); ++i) {
      codes.data<float>()[i] = static_cast<float>(input->IntegerAt(i));
    }
    std::vector<Value> args = DequantizedCall(call).args();
    if (args.empty()) call.Fail("the input is given by keyword", "by position");
    args[0] = codes;
    const Call real(call.where(), std::move(args), DequantizedCall(call).kwargs());
    Tensor values = *base(real).As<Tensor>();
    real.CheckAllRead();
    const auto zero_point = static_cast<float>(input->quantization()->zero_point.at(0));
    for (int64_t i = 0; i < values.numel(); ++i) values.data<float>()[i] -= zero_point;
    const Value whole = QuantizeValue(
        values, PerTensor(1.0, static_cast<int64_t>(zero_point)), input->dtype());
    Tensor result = whole.As<Tensor>()->Clone();
    result.set_quantization(*input->quantization());
    return result;
  };
}

ModuleDefinition QuantizedModule(const std::string& name, SpecialKind kind,
                                 const ModuleDefinition& base) {
  return [name, kind, base](Module& module, const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(module, call);
    const Call real = DequantizedCall(call);
    const Value value = base(module, real);
    real.CheckAllRead();
    return QuantizeValue(value, ParametersFor(name, kind, *input), input->dtype());
  };
}

}  // namespace

void AddQuantizedTensorOperators(Registry& registry, const std::string& engine,
                                 const std::shared_ptr<const MemoryFormats>& formats) {
  for (const auto& [target, kind] : SpecialFunctions()) {
    const FunctionDefinition* base = registry.FindFunction(target);
    if (base == nullptr || kind == SpecialKind::kDefault) continue;
    const std::string name = LastPart(target);
    const FunctionDefinition quantized = Quantized(name, kind, *base);
    registry.AddFunction(
        target, name == "interpolate" ? Interpolated(*base)
                : name == "mean"      ? AveragedMean(engine, formats, *base, quantized)
                : IsAveragePool(name) ? AveragedFunction(name, engine, formats, *base)
                                      : quantized);
  }
  for (const auto& [name, kind] : SpecialMethods()) {
    const FunctionDefinition* base = registry.FindMethod(name);
    if (base == nullptr) continue;
    const FunctionDefinition quantized = Quantized(name, kind, *base);
    registry.AddMethod(name, name == "mean"
                                 ? AveragedMean(engine, formats, *base, quantized)
                                 : quantized);
  }
  for (const auto& [type, kind] : SpecialModules()) {
    const ModuleDefinition* base = registry.FindModule(type);
    if (base == nullptr || kind == SpecialKind::kDefault) continue;
    const std::string name = LastPart(type);
    registry.AddModule(type, IsAveragePool(name)
                                 ? AveragedModule(name, engine, formats, *base)
                                 : QuantizedModule(name, kind, *base));
  }
}

}  // namespace qconform
