// torch.ops.aten: the operators of exported programs. Each is one that torch has under a
// public name, with the arguments of its own schema.
#include "reference/ops/aten_functions.h"

#include <utility>

#include "reference/ops/names.h"

namespace qconform {
namespace {

FunctionDefinition Known(const Registry& registry, const std::string& name) {
  return *registry.FindFunction(name);
}

// Calls `definition` with these values and no keywords.
Value CallWith(const FunctionDefinition& definition, const Call& call,
               std::vector<Value> args) {
  const Call inner(call.where(), std::move(args));
  Value value = definition(inner);
  inner.CheckAllRead();
  return value;
}

Value OrNone(const Call& call, size_t position, const char* keyword) {
  const Value* value = call.Find(position, keyword);
  return value == nullptr ? Value() : *value;
}

// Statistics stand behind weight and bias in ATen, before them in torch.nn.functional.
FunctionDefinition BatchNorm(const FunctionDefinition& batch_norm) {
  return [batch_norm](const Call& call) {
    call.Ignore(8, "cudnn_enabled");
    return CallWith(batch_norm, call,
                    {call.Get(0, "input"), OrNone(call, 3, "running_mean"),
                     OrNone(call, 4, "running_var"), OrNone(call, 1, "weight"),
                     OrNone(call, 2, "bias"), call.Boolean(5, "training", false),
                     call.Real(6, "momentum"), call.Real(7, "eps")});
  };
}

// Also returns the statistics of a batch, which are empty outside training.
FunctionDefinition BatchNormNoTraining(const FunctionDefinition& batch_norm) {
  return [batch_norm](const Call& call) -> Value {
    const Value y = CallWith(
        batch_norm, call,
        {call.Get(0, "input"), OrNone(call, 3, "running_mean"),
         OrNone(call, 4, "running_var"), OrNone(call, 1, "weight"),
         OrNone(call, 2, "bias"), false, call.Real(5, "momentum"), call.Real(6, "eps")});
    return Value::Tuple({y, Tensor(DType::kFloat32, {0}), Tensor(DType::kFloat32, {0})});
  };
}

// A stride that is an empty list is the kernel's size, as None in torch.nn.functional.
FunctionDefinition Pool(const FunctionDefinition& pool) {
  return [pool](const Call& call) {
    std::vector<Value> args = call.args();
    for (size_t i = 0; i < args.size(); ++i) call.Get(i, "");
    if (args.size() > 2) {
      const ValueSequence* stride = args[2].As<ValueSequence>();
      if (stride != nullptr && stride->items.empty()) args[2] = Value();
    }
    return CallWith(pool, call, std::move(args));
  };
}

// What only says where a result is stored has no meaning here.
FunctionDefinition WithoutMemory(const FunctionDefinition& definition) {
  return [definition](const Call& call) {
    for (const char* keyword :
         {"pin_memory", "layout", "device", "memory_format", "implicit"}) {
      call.Ignore(call.args().size(), keyword);
    }
    return definition(call);
  };
}

using Names = std::vector<std::pair<const char*, const char*>>;

const Names& SameArguments() {
  static const auto* const names = new Names{
      {"conv1d.default", "nn.functional.conv1d"},
      {"conv1d.padding", "nn.functional.conv1d"},
      {"conv2d.default", "nn.functional.conv2d"},
      {"conv2d.padding", "nn.functional.conv2d"},
      {"conv3d.default", "nn.functional.conv3d"},
      {"conv3d.padding", "nn.functional.conv3d"},
      {"conv_transpose1d.default", "nn.functional.conv_transpose1d"},
      {"conv_transpose2d.input", "nn.functional.conv_transpose2d"},
      {"conv_transpose3d.input", "nn.functional.conv_transpose3d"},
      {"linear.default", "nn.functional.linear"},
      {"matmul.default", "matmul"},
      {"mm.default", "mm"},
      {"bmm.default", "bmm"},
      {"addmm.default", "addmm"},
      {"add.Tensor", "add"},
      {"add.Scalar", "add"},
      {"sub.Tensor", "sub"},
      {"sub.Scalar", "sub"},
      {"mul.Tensor", "mul"},
      {"mul.Scalar", "mul"},
      {"div.Tensor", "div"},
      {"div.Scalar", "div"},
      {"div.Tensor_mode", "div"},
      {"rsub.Scalar", "rsub"},
      {"pow.Tensor_Scalar", "pow"},
      {"pow.Tensor_Tensor", "pow"},
      {"neg.default", "neg"},
      {"abs.default", "abs"},
      {"sqrt.default", "sqrt"},
      {"rsqrt.default", "rsqrt"},
      {"exp.default", "exp"},
      {"relu.default", "relu"},
      {"relu6.default", "nn.functional.relu6"},
      {"hardtanh.default", "nn.functional.hardtanh"},
      {"hardswish.default", "nn.functional.hardswish"},
      {"hardsigmoid.default", "nn.functional.hardsigmoid"},
      {"leaky_relu.default", "nn.functional.leaky_relu"},
      {"elu.default", "nn.functional.elu"},
      {"gelu.default", "nn.functional.gelu"},
      {"silu.default", "nn.functional.silu"},
      {"prelu.default", "nn.functional.prelu"},
      {"sigmoid.default", "sigmoid"},
      {"tanh.default", "tanh"},
      {"clamp.default", "clamp"},
      {"softmax.int", "softmax"},
      {"log_softmax.int", "log_softmax"},
      {"cat.default", "cat"},
      {"stack.default", "stack"},
      {"flatten.using_ints", "flatten"},
      {"reshape.default", "reshape"},
      {"permute.default", "permute"},
      {"transpose.int", "transpose"},
      {"t.default", "t"},
      {"squeeze.default", "squeeze"},
      {"squeeze.dim", "squeeze"},
      {"unsqueeze.default", "unsqueeze"},
      {"unflatten.int", "unflatten"},
      {"select.int", "select"},
      {"chunk.default", "chunk"},
      {"unbind.int", "unbind"},
      {"mean.default", "mean"},
      {"mean.dim", "mean"},
      {"sum.default", "sum"},
      {"sum.dim_IntList", "sum"},
      {"dropout.default", "nn.functional.dropout"},
      {"layer_norm.default", "nn.functional.layer_norm"},
      {"group_norm.default", "nn.functional.group_norm"},
      {"adaptive_avg_pool1d.default", "nn.functional.adaptive_avg_pool1d"},
      {"adaptive_avg_pool2d.default", "nn.functional.adaptive_avg_pool2d"},
      {"adaptive_avg_pool3d.default", "nn.functional.adaptive_avg_pool3d"},
  };
  return *names;
}

}  // namespace

void AddAten(Registry& registry) {
  for (const auto& [aten, torch] : SameArguments()) {
    const FunctionDefinition* known =
        registry.FindFunction(std::string("torch.") + torch);
    registry.AddFunction(std::string("aten.") + aten, *known);
  }
  for (const char* written :
       {"add.Tensor", "add.Scalar", "sub.Tensor", "mul.Tensor", "mul.Scalar",
        "div.Tensor", "relu.default", "relu6.default", "hardtanh.default",
        "hardswish.default", "hardsigmoid.default", "leaky_relu.default", "elu.default",
        "silu.default", "sigmoid.default", "tanh.default", "clamp.default",
        "dropout.default"}) {
    std::string in_place = std::string("aten.") + written;
    const FunctionDefinition definition = Known(registry, in_place);
    // "aten.relu.default" -> "aten.relu_.default"
    in_place.insert(in_place.rfind('.'), "_");
    registry.AddFunction(in_place, InPlace(definition));
  }
  // A view of what reshape gives, and of clone: values only.
  for (const char* view : {"aten.view.default", "aten._unsafe_view.default"}) {
    registry.AddFunction(view, Known(registry, "torch.reshape"));
  }
  for (const char* same :
       {"aten.clone.default", "aten.contiguous.default", "aten.detach.default",
        "aten.alias.default", "aten.detach_.default", "aten.lift_fresh_copy.default"}) {
    registry.AddFunction(same, WithoutMemory(Known(registry, "torch.clone")));
  }
  for (const char* filled : {"zeros_like", "ones_like"}) {
    registry.AddFunction(std::string("aten.") + filled + ".default",
                         WithoutMemory(Known(registry, std::string("torch.") + filled)));
  }
  for (const char* dimensions : {"1d", "2d", "3d"}) {
    for (const char* pool : {"max_pool", "avg_pool"}) {
      const std::string name = std::string(pool) + dimensions;
      registry.AddFunction("aten." + name + ".default",
                           Pool(Known(registry, "torch.nn.functional." + name)));
    }
  }
  const FunctionDefinition batch_norm = Known(registry, "torch.nn.functional.batch_norm");
  registry.AddFunction("aten.batch_norm.default", BatchNorm(batch_norm));
  registry.AddFunction("aten._native_batch_norm_legit_no_training.default",
                       BatchNormNoTraining(batch_norm));
  // The checks of torch.export on the inputs' sizes, which have no value.
  registry.AddModule("torch.export._unlift.GuardsFn",
                     [](Module&, const Call& call) -> Value {
                       for (size_t i = 0; i < call.args().size(); ++i) call.Ignore(i, "");
                       return {};
                     });
}

}  // namespace qconform
