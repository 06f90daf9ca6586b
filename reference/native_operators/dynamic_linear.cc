#include "reference/native_operators/dynamic_linear.h"

#include "reference/native_operators/native_families.h"
#include "reference/native_operators/operator_run.h"
#include "reference/numerics/scheme.h"
#include "reference/ops/linear.h"

namespace qconform {
namespace {

FunctionDefinition DynamicFunction(bool relu, const std::string& engine) {
  return [relu, engine](const Call& call) -> Value {
    return DynamicLinear(call.TensorAt(0, "X"), PackedArgument(call, 1), relu,
                         call.Boolean(2, "reduce_range", false), engine, call);
  };
}

ModuleDefinition DynamicModule(bool relu, const std::string& engine) {
  return [relu, engine](Module& module, const Call& call) -> Value {
    return DynamicLinear(call.TensorAt(0, "x"), PackedOf(module, call), relu, true,
                         engine, call);
  };
}

}  // namespace

Tensor DynamicLinear(const Tensor& x, const NativeWeight& packed, bool relu,
                     bool reduce_range, const std::string& engine, const Call& call) {
  const Tensor* bias = packed.bias ? &*packed.bias : nullptr;
  if (!packed.weight.quantization()) {
    Tensor product = Linear(x, packed.weight, bias, call);
    for (int64_t i = 0; i < product.numel() && relu; ++i) {
      float& value = product.data<float>()[i];
      if (value < 0.0f) value = 0.0f;
    }
    return product;
  }
  OperatorRun run;
  run.kind = QC_LINEAR;
  run.inputs = {&x, &packed.weight, bias};
  run.scheme = kFloatBiasSchemeName;
  run.attributes.dynamic = 1;
  run.attributes.reduce_range = reduce_range && engine != "qnnpack" ? 1 : 0;
  if (relu) run.attributes.activation = QC_ACTIVATION_RELU;
  Shape shape = x.shape();
  if (shape.empty()) call.Fail("input is " + ValueText(x), "at least one axis");
  shape.back() = packed.weight.dim(0);
  return RunOperator(run, DType::kFloat32, shape, std::nullopt, call);
}

void AddNativeDynamic(Registry& registry, const std::string& engine) {
  for (const bool relu : {false, true}) {
    const std::string prefix = std::string("quantized.linear_") + (relu ? "relu_" : "");
    registry.AddFunction(prefix + "dynamic", DynamicFunction(relu, engine));
    registry.AddFunction(prefix + "dynamic_fp16", DynamicFunction(relu, engine));
  }
  registry.AddModule("torch.ao.nn.quantized.dynamic.Linear",
                     DynamicModule(false, engine));
  registry.AddModule("torch.ao.nn.intrinsic.quantized.dynamic.LinearReLU",
                     DynamicModule(true, engine));
}

}  // namespace qconform
