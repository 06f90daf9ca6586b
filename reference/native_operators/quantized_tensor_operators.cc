// Float operators on quantized tensors. The result has the parameters of the input, or
// the fixed ones of sigmoid and tanh; codes that only move or compare come out as they
// were, because an 8-bit code survives dequantize and quantize.
#include "reference/native/special_operators.h"
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/pool_formats.h"
#include "reference/native_operators/through_float.h"
#include "reference/ops/axis.h"

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

using Formats = std::shared_ptr<const MemoryFormats>;

// What an average of float tensors is for their codes. Ties are those of the codes, or
// of their distances from the zero point.
Value Averaged(const Tensor& codes, const std::function<Value(const Tensor&)>& average,
               const std::function<bool(const Shape&)>& rounds_code) {
  Tensor distances(DType::kFloat32, codes.shape());
  const double zero_point = codes.quantization()->zero_point.at(0);
  for (int64_t i = 0; i < codes.numel(); ++i) {
    distances.data<float>()[i] =
        static_cast<float>(static_cast<double>(codes.IntegerAt(i)) - zero_point);
  }
  Tensor values = *average(distances).As<Tensor>();
  double added = zero_point;
  if (rounds_code(values.shape())) {
    values = values.Clone();
    for (int64_t i = 0; i < values.numel(); ++i) {
      values.data<float>()[i] += static_cast<float>(zero_point);
    }
    added = 0;
  }
  const Value whole =
      QuantizeValue(values, PerTensor(1.0, static_cast<int64_t>(added)), codes.dtype());
  Tensor result = whole.As<Tensor>()->Clone();
  result.set_quantization(*codes.quantization());
  return result;
}

bool IsAverage(const std::string& name) {
  return name.find("avg_pool") != std::string::npos ||
         name.find("AvgPool") != std::string::npos;
}

// QNNPACK's average pools in one and two dimensions count the padding, and divide by the
// window, whatever they are told; with ceil_mode torch does not ask it.
bool IgnoresDivisor(const std::string& name, const std::string& engine,
                    const Tensor& codes) {
  const bool plane = name.ends_with("1d") || name.ends_with("2d");
  return engine == "qnnpack" && plane && codes.dtype() == DType::kQUInt8 &&
         (name.starts_with("avg") || name.starts_with("Avg"));
}

FunctionDefinition AveragedFunction(const std::string& name, const std::string& engine,
                                    const Formats& formats,
                                    const FunctionDefinition& base) {
  return [name, engine, formats, base](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    const bool ceil_mode = CeilMode(name, call, nullptr);
    const auto average = [&](const Tensor& distances) {
      std::vector<Value> args = DequantizedCall(call).args();
      OrderedMap<Value> kwargs = DequantizedCall(call).kwargs();
      if (args.empty()) {
        kwargs.Set("input", distances);
      } else {
        args[0] = distances;
      }
      constexpr size_t kCountIncludePad = 5;
      if (IgnoresDivisor(name, engine, *input) && !ceil_mode) {
        if (args.size() > kCountIncludePad) args.resize(kCountIncludePad);
        kwargs.Erase("count_include_pad");
        kwargs.Erase("divisor_override");
      }
      const Call real(call.where(), std::move(args), std::move(kwargs));
      Value value = base(real);
      real.CheckAllRead();
      return value;
    };
    return Averaged(*input, average, [&](const Shape& output) {
      return RoundsAveragedCode(name, engine, ceil_mode, input->dtype(),
                                formats->Of(*input), output);
    });
  };
}

ModuleDefinition AveragedModule(const std::string& name, const std::string& engine,
                                const Formats& formats, const ModuleDefinition& base) {
  return [name, engine, formats, base](Module& module, const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(module, call);
    DequantizedCall(call);  // reads all arguments
    const bool ceil_mode = CeilMode(name, call, &module);
    const auto average = [&](const Tensor& distances) {
      const Call real(call.where(), {distances});
      Module settings = module;
      if (IgnoresDivisor(name, engine, *input) && !ceil_mode) {
        settings.attributes.Set("count_include_pad", true);
        settings.attributes.Erase("divisor_override");
      }
      return base(settings, real);
    };
    return Averaged(*input, average, [&](const Shape& output) {
      return RoundsAveragedCode(name, engine, ceil_mode, input->dtype(),
                                formats->Of(*input), output);
    });
  };
}

// Whether the axes, in rising order, are the last ones.
bool AreInnermost(const std::vector<int>& axes, int rank) {
  return axes.empty() || axes.front() == rank - static_cast<int>(axes.size());
}

// The mean over the last axes of a row-major tensor is taken of the codes, and by QNNPACK
// that of planes; others in float. (mean_quantized_cpu, qmean_inner_dim)
FunctionDefinition Mean(const std::string& engine, const Formats& formats,
                        const FunctionDefinition& base,
                        const FunctionDefinition& through_float) {
  return [=](const Call& call) -> Value {
    const Tensor* input = FirstQuantized(call);
    if (input == nullptr) return base(call);
    const Shape dims = call.OptionalIntegers(1, "dim").value_or(Shape{});
    const bool is_qnnpack = engine == "qnnpack" && input->dtype() == DType::kQUInt8 &&
                            input->rank() == 4 && dims == Shape{2, 3};
    const bool is_inner =
        formats->Of(*input).IsRowMajor() &&
        AreInnermost(NormalizeAxes(dims, input->rank(), call), input->rank());
    if (!is_qnnpack && !is_inner) return through_float(call);
    const auto average = [&](const Tensor& distances) {
      std::vector<Value> args = call.args();
      OrderedMap<Value> kwargs = DequantizedCall(call).kwargs();
      if (args.empty()) {
        kwargs.Set("input", distances);
      } else {
        args[0] = distances;
      }
      const Call real(call.where(), std::move(args), std::move(kwargs));
      Value value = base(real);
      real.CheckAllRead();
      return value;
    };
    DequantizedCall(call);  // reads all arguments
    return Averaged(*input, average, [&](const Shape&) { return !is_qnnpack; });
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
                : name == "mean"      ? Mean(engine, formats, *base, quantized)
                : IsAverage(name)     ? AveragedFunction(name, engine, formats, *base)
                                      : quantized);
  }
  for (const auto& [name, kind] : SpecialMethods()) {
    const FunctionDefinition* base = registry.FindMethod(name);
    if (base == nullptr) continue;
    const FunctionDefinition quantized = Quantized(name, kind, *base);
    registry.AddMethod(
        name, name == "mean" ? Mean(engine, formats, *base, quantized) : quantized);
  }
  for (const auto& [type, kind] : SpecialModules()) {
    const ModuleDefinition* base = registry.FindModule(type);
    if (base == nullptr || kind == SpecialKind::kDefault) continue;
    const std::string name = LastPart(type);
    registry.AddModule(type, IsAverage(name)
                                 ? AveragedModule(name, engine, formats, *base)
                                 : QuantizedModule(name, kind, *base));
  }
}

}  // namespace qconform
