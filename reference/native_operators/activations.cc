// Operators that take the parameters of their output: dequantize, the float operator,
// quantize.
#include <algorithm>
#include <cmath>

#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/through_float.h"
#include "reference/ops/module_call.h"

namespace qconform {
namespace {

QuantizationParameters OutputArguments(const Call& call) {
  return PerTensor(call.Real(call.args().size(), "output_scale"),
                   call.Integer(call.args().size(), "output_zero_point"));
}

const Tensor& Input(const Call& call) {
  const Tensor* input = FirstQuantized(call);
  if (input == nullptr) call.Fail("no argument is quantized");
  return *input;
}

// The float function without the output's parameters.
Value RunThroughFloat(const FunctionDefinition& function, const Call& call,
                      const QuantizationParameters& output) {
  const DType dtype = Input(call).dtype();
  const Call full = DequantizedCall(call);
  OrderedMap<Value> kwargs = full.kwargs();
  kwargs.Erase("output_scale");
  kwargs.Erase("output_zero_point");
  const Call real(call.where(), full.args(), std::move(kwargs));
  const Value value = function(real);
  real.CheckAllRead();
  return QuantizeValue(value, output, dtype);
}

QuantizationParameters OutputOf(const Module& module) {
  const Tensor* scale = module.FindTensor("scale");
  const Tensor* zero_point = module.FindTensor("zero_point");
  if (scale != nullptr && zero_point != nullptr) {
    return PerTensor(scale->ValueAt(0), zero_point->IntegerAt(0));
  }
  return PerTensor(module.Real("scale", 1.0), module.Integer("zero_point", 0));
}

// The module as a call of a float function with some of its settings.
void AddModule(Registry& registry, const std::string& type, const std::string& function,
               const std::vector<std::string>& settings) {
  const FunctionDefinition definition = *registry.FindFunction(function);
  registry.AddModule(
      type, [definition, settings](Module& module, const Call& call) -> Value {
        return RunThroughFloat(definition, ModuleCall(module, call, settings),
                               OutputOf(module));
      });
}

// Positive inputs are multiplied by the code of 1.0 under the slope's own parameters,
// which saturates below a scale of 1/255: torch's kernel does so. (qprelu)
Value Prelu(const Tensor& input, const Tensor& slope,
            const QuantizationParameters& output, const Call& call) {
  const double slope_scale = slope.quantization()->scale.at(0);
  const auto slope_zero = static_cast<int64_t>(slope.quantization()->zero_point.at(0));
  const Tensor one =
      *QuantizeValue(Tensor::FromVector<float>(DType::kFloat32, {1}, {1.0f}),
                     *slope.quantization(), DType::kQUInt8)
           .As<Tensor>();
  if (slope.numel() != 1 && (input.rank() < 2 || input.dim(1) != slope.numel())) {
    call.Fail("slope " + ValueText(slope) + " for input " + ValueText(input));
  }
  int64_t inner = 1;
  for (int i = 2; i < input.rank(); ++i) inner *= input.dim(i);
  const auto in_zero = static_cast<int64_t>(input.quantization()->zero_point.at(0));
  const auto out_zero = static_cast<int64_t>(output.zero_point.at(0));
  const float multiplier = static_cast<float>(input.quantization()->scale.at(0)) *
                           static_cast<float>(slope_scale) *
                           (1.0f / static_cast<float>(output.scale.at(0)));
  const IntegerRange range = CodeRange(input.dtype());
  Tensor result(input.dtype(), input.shape());
  result.set_quantization(output);
  for (int64_t i = 0; i < input.numel(); ++i) {
    const int64_t channel = slope.numel() == 1 ? 0 : i / inner % input.dim(1);
    const int64_t x = input.IntegerAt(i) - in_zero;
    const int64_t factor =
        (x > 0 ? one.IntegerAt(0) : slope.IntegerAt(channel)) - slope_zero;
    const double code = std::nearbyint(static_cast<float>(x * factor) * multiplier) +
                        static_cast<double>(out_zero);
    const auto clamped = static_cast<int64_t>(std::min(
        std::max(code, static_cast<double>(range.min)), static_cast<double>(range.max)));
    if (input.dtype() == DType::kQInt8) {
      result.data<int8_t>()[i] = static_cast<int8_t>(clamped);
    } else {
      result.data<uint8_t>()[i] = static_cast<uint8_t>(clamped);
    }
  }
  return result;
}

void AddFunction(Registry& registry, const std::string& name) {
  const FunctionDefinition* found = registry.FindFunction("torch.nn.functional." + name);
  if (found == nullptr) return;
  const FunctionDefinition definition = *found;
  registry.AddFunction("quantized." + name, [definition](const Call& call) -> Value {
    return RunThroughFloat(definition, call, OutputArguments(call));
  });
}

// Batch norm in evaluation with the statistics of the module.
void AddBatchNorm(Registry& registry, const std::string& type, bool relu) {
  const FunctionDefinition norm =
      *registry.FindFunction("torch.nn.functional.batch_norm");
  const FunctionDefinition rectify = *registry.FindFunction("torch.nn.functional.relu");
  registry.AddModule(
      type, [norm, rectify, relu](Module& module, const Call& call) -> Value {
        const auto definition = [&](const Call& real) -> Value {
          const Value value = norm(real);
          return relu ? rectify(Call(call.where(), {value})) : value;
        };
        return RunThroughFloat(
            definition,
            ModuleCall(module, call,
                       {"running_mean", "running_var", "weight", "bias", "eps"}),
            OutputOf(module));
      });
}

}  // namespace

void AddNativeActivations(Registry& registry) {
  for (const char* name :
       {"elu", "hardswish", "instance_norm", "layer_norm", "leaky_relu", "group_norm"}) {
    AddFunction(registry, name);
  }
  // Not dropped in evaluation: the codes pass with the input's own parameters.
  const auto identity = [](const Call& call) -> Value {
    for (size_t i = 1; i < call.args().size(); ++i) call.Ignore(i, "");
    for (const auto& [name, value] : call.kwargs()) {
      if (name != "input") call.Ignore(call.args().size(), name.c_str());
    }
    return call.TensorAt(0, "input");
  };
  registry.AddFunction("quantized.dropout", identity);
  const std::string nn = "torch.nn.functional.";
  const std::string quantized = "torch.ao.nn.quantized.";
  registry.AddModule(quantized + "Dropout", [](Module&, const Call& call) -> Value {
    return call.TensorAt(0, "input");
  });
  AddModule(registry, quantized + "ELU", nn + "elu", {"alpha"});
  AddModule(registry, quantized + "Hardswish", nn + "hardswish", {});
  AddModule(registry, quantized + "LeakyReLU", nn + "leaky_relu", {"negative_slope"});
  AddModule(registry, quantized + "Softmax", nn + "softmax", {"dim"});
  AddModule(registry, quantized + "LayerNorm", nn + "layer_norm",
            {"normalized_shape", "weight", "bias", "eps"});
  for (const std::string rank : {"1d", "2d", "3d"}) {
    AddModule(registry, quantized + "InstanceNorm" + rank, nn + "instance_norm",
              {"weight", "bias", "eps"});
  }
  for (const std::string rank : {"2d", "3d"}) {
    AddBatchNorm(registry, quantized + "BatchNorm" + rank, false);
    AddBatchNorm(registry, "torch.ao.nn.intrinsic.quantized.BNReLU" + rank, true);
  }
  registry.AddModule(quantized + "PReLU", [](Module& module, const Call& call) -> Value {
    const Tensor* slope = module.FindTensor("weight");
    if (slope == nullptr || !slope->quantization()) call.Fail("no quantized slope");
    return Prelu(call.TensorAt(0, "input"), *slope, OutputOf(module), call);
  });
  registry.AddFunction("quantized.prelu", [](const Call& call) -> Value {
    const Tensor& slope = call.TensorAt(1, "weight");
    if (!slope.quantization()) call.Fail("weight is " + ValueText(slope), "quantized");
    return Prelu(
        call.TensorAt(0, "input"), slope,
        PerTensor(call.Real(2, "output_scale"), call.Integer(3, "output_zero_point")),
        call);
  });
}

}  // namespace qconform
