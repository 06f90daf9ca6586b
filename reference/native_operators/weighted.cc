// quantized.linear, conv and conv_transpose, as functions of packed weights and as
// modules.
#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/native_operators/packed_values.h"
#include "reference/native_operators/through_float.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

// The activation that a fused operator applies.
struct Fusion {
  qc_activation activation = QC_ACTIVATION_NONE;
  float alpha = 0.0f;
  const Tensor* residual = nullptr;
};

// Activations that are no bound, and residuals, are computed in float32.
std::string SchemeFor(const Fusion& fusion, const std::string& engine) {
  if (fusion.residual != nullptr || fusion.activation == QC_ACTIVATION_LEAKY_RELU ||
      fusion.activation == QC_ACTIVATION_TANH) {
    return kRealSchemeName;
  }
  return engine == "qnnpack" ? kRoundedBiasSchemeName : kFloatBiasSchemeName;
}

const Tensor& Activation(const Call& call, size_t position) {
  const Tensor& x = call.TensorAt(position, "input");
  if (!x.quantization() || x.dtype() != DType::kQUInt8) {
    call.Fail("input is " + ValueText(x), "quint8");
  }
  return x;
}

// Only oneDNN's linear takes signed codes.
const Tensor& LinearActivation(const Call& call, const std::string& engine) {
  const Tensor& x = call.TensorAt(0, "input");
  if (engine == "onednn" && x.quantization() && x.dtype() == DType::kQInt8) return x;
  return Activation(call, 0);
}

void SetFusion(const Fusion& fusion, OperatorRun& run) {
  run.attributes.activation = fusion.activation;
  run.attributes.activation_alpha = fusion.alpha;
  if (fusion.residual == nullptr) return;
  run.attributes.residual = 1;
  run.inputs.push_back(fusion.residual);
}

Tensor RunLinear(const Tensor& x, const NativeWeight& packed, const Fusion& fusion,
                 const QuantizationParameters& output, const std::string& engine,
                 const Call& call) {
  OperatorRun run;
  run.kind = QC_LINEAR;
  run.inputs = {&x, &packed.weight, packed.bias ? &*packed.bias : nullptr};
  run.scheme = SchemeFor(fusion, engine);
  SetFusion(fusion, run);
  Shape shape = x.shape();
  shape.back() = packed.weight.dim(0);
  return RunOperator(run, x.dtype(), shape, output, call);
}

Tensor RunConvolution(const Tensor& x, const NativeWeight& packed, bool transposed,
                      const Fusion& fusion, const QuantizationParameters& output,
                      const std::string& engine, const Call& call) {
  OperatorRun run;
  run.kind = transposed ? QC_CONV_TRANSPOSE : QC_CONV;
  run.inputs = {&x, &packed.weight, packed.bias ? &*packed.bias : nullptr};
  run.scheme = SchemeFor(fusion, engine);
  const int spatial = x.rank() - 2;
  if (spatial < 1 || spatial > 3 || packed.weight.rank() != x.rank()) {
    call.Fail("input " + ValueText(x) + " for weight " + ValueText(packed.weight));
  }
  run.attributes.spatial_rank = spatial;
  run.attributes.groups = packed.groups;
  Shape shape = {
      x.dim(0), transposed ? packed.weight.dim(1) * packed.groups : packed.weight.dim(0)};
  for (int i = 0; i < spatial; ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t reach = packed.dilation.at(at) * (packed.weight.dim(i + 2) - 1);
    run.attributes.stride[i] = packed.stride.at(at);
    run.attributes.dilation[i] = packed.dilation.at(at);
    run.attributes.padding_before[i] = packed.padding.at(at);
    run.attributes.padding_after[i] = packed.padding.at(at);
    const int64_t size = x.dim(i + 2);
    if (transposed) {
      run.attributes.output_padding[i] = packed.output_padding.at(at);
      shape.push_back((size - 1) * packed.stride.at(at) - 2 * packed.padding.at(at) +
                      reach + packed.output_padding.at(at) + 1);
    } else {
      shape.push_back(
          (size + 2 * packed.padding.at(at) - reach - 1) / packed.stride.at(at) + 1);
    }
  }
  SetFusion(fusion, run);
  return RunOperator(run, x.dtype(), shape, output, call);
}

QuantizationParameters OutputArguments(const Call& call) {
  return PerTensor(call.Real(2, "output_scale"), call.Integer(3, "output_zero_point"));
}

FunctionDefinition LinearFunction(bool relu, const std::string& engine) {
  return [relu, engine](const Call& call) -> Value {
    Fusion fusion;
    if (relu) fusion.activation = QC_ACTIVATION_RELU;
    return RunLinear(LinearActivation(call, engine), PackedArgument(call, 1), fusion,
                     OutputArguments(call), engine, call);
  };
}

FunctionDefinition ConvolutionFunction(bool transposed, bool relu,
                                       const std::string& engine) {
  return [transposed, relu, engine](const Call& call) -> Value {
    Fusion fusion;
    if (relu) fusion.activation = QC_ACTIVATION_RELU;
    return RunConvolution(Activation(call, 0), PackedArgument(call, 1), transposed,
                          fusion, OutputArguments(call), engine, call);
  };
}

QuantizationParameters OutputOf(const Module& module) {
  return PerTensor(module.Real("scale", 1.0), module.Integer("zero_point", 0));
}

ModuleDefinition LinearModule(qc_activation activation, const std::string& engine) {
  return [activation, engine](Module& module, const Call& call) -> Value {
    Fusion fusion;
    fusion.activation = activation;
    fusion.alpha = static_cast<float>(module.Real("negative_slope", 0.0));
    return RunLinear(LinearActivation(call, engine), PackedOf(module, call), fusion,
                     OutputOf(module), engine, call);
  };
}

// Reflected borders are added before the convolution, which then has no padding.
Tensor Reflected(const Tensor& x, std::vector<int64_t>& padding, const Registry& registry,
                 const Call& call) {
  std::vector<Value> sizes;
  for (size_t i = padding.size(); i-- > 0;) {
    sizes.insert(sizes.end(), {Value(padding[i]), Value(padding[i])});
    padding[i] = 0;
  }
  const FunctionDefinition* pad = registry.FindFunction("torch.nn.functional.pad");
  if (pad == nullptr) call.Fail("no definition of pad");
  const Call quantized(call.where(), {x, Value::List(std::move(sizes)), "reflect"});
  return *QuantizeValue((*pad)(DequantizedCall(quantized)), *x.quantization(), x.dtype())
              .As<Tensor>();
}

ModuleDefinition ConvolutionModule(bool transposed, qc_activation activation, bool adds,
                                   const std::string& engine, const Registry& base) {
  return [transposed, activation, adds, engine, base](Module& module,
                                                      const Call& call) -> Value {
    Fusion fusion;
    fusion.activation = activation;
    if (adds) fusion.residual = &call.TensorAt(1, "extra_input");
    NativeWeight packed = PackedOf(module, call);
    Tensor x = Activation(call, 0);
    if (module.Text("padding_mode", "zeros") == "reflect") {
      x = Reflected(x, packed.padding, base, call);
    }
    return RunConvolution(x, packed, transposed, fusion, OutputOf(module), engine, call);
  };
}

}  // namespace

void AddNativeWeighted(Registry& registry, const std::string& engine) {
  const Registry base = Registry::BuiltIn();
  const std::string quantized = "torch.ao.nn.quantized.";
  const std::string fused = "torch.ao.nn.intrinsic.quantized.";
  for (const bool relu : {false, true}) {
    const std::string ending = relu ? "_relu" : "";
    registry.AddFunction("quantized.linear" + ending, LinearFunction(relu, engine));
    for (const std::string rank : {"1d", "2d", "3d"}) {
      registry.AddFunction("quantized.conv" + rank + ending,
                           ConvolutionFunction(false, relu, engine));
    }
  }
  registry.AddModule(quantized + "Linear", LinearModule(QC_ACTIVATION_NONE, engine));
  registry.AddModule(fused + "LinearReLU", LinearModule(QC_ACTIVATION_RELU, engine));
  registry.AddModule(fused + "LinearLeakyReLU",
                     LinearModule(QC_ACTIVATION_LEAKY_RELU, engine));
  registry.AddModule(fused + "LinearTanh", LinearModule(QC_ACTIVATION_TANH, engine));
  for (const std::string rank : {"1d", "2d", "3d"}) {
    registry.AddFunction("quantized.conv_transpose" + rank,
                         ConvolutionFunction(true, false, engine));
    registry.AddModule(quantized + "Conv" + rank,
                       ConvolutionModule(false, QC_ACTIVATION_NONE, false, engine, base));
    registry.AddModule(fused + "ConvReLU" + rank,
                       ConvolutionModule(false, QC_ACTIVATION_RELU, false, engine, base));
    registry.AddModule(quantized + "ConvTranspose" + rank,
                       ConvolutionModule(true, QC_ACTIVATION_NONE, false, engine, base));
  }
  registry.AddModule(fused + "ConvAdd2d",
                     ConvolutionModule(false, QC_ACTIVATION_NONE, true, engine, base));
  registry.AddModule(fused + "ConvAddReLU2d",
                     ConvolutionModule(false, QC_ACTIVATION_RELU, true, engine, base));
}

}  // namespace qconform
