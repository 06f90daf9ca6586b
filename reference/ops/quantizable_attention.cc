#include <cmath>

#include "reference/ops/quantizable.h"
#include "reference/ops/rearrange.h"

namespace qconform {

Tensor CallFunction(const QuantizableParts& parts, const std::string& name,
                    std::vector<Value> args, const Call& call) {
  const FunctionDefinition* function = parts.functions->FindFunction(name);
  if (function == nullptr) call.Fail("no definition of " + name);
  const Value value = (*function)(Call(call.where() + ": " + name, std::move(args)));
  const Tensor* tensor = value.As<Tensor>();
  if (tensor == nullptr) call.Fail(name + " gave no tensor");
  return *tensor;
}

Module& QuantizableChild(Module& module, const std::string& name, const Call& call) {
  const auto* child = module.children.Find(name);
  if (child == nullptr || !*child) call.Fail(module.type + " lacks " + name);
  return **child;
}

namespace {

// Rows of the parameter, one a sample of the batch, behind x. (cat of bias.repeat)
Tensor WithBiasRow(const Tensor& x, const Tensor& bias, const QuantizableParts& parts) {
  const Tensor row = bias.Reshaped({bias.numel()});
  const std::vector<Tensor> rows(static_cast<size_t>(x.dim(1)), parts.requantize(row, x));
  return Joined(x, Stacked({Stacked(rows)}), 0);
}

// x [steps, batch, size] -> [batch * heads, steps, size / heads].
Tensor ByHead(const Tensor& x, int64_t heads) {
  const int64_t width = x.dim(2) / heads;
  return Swapped(x.Reshaped({x.dim(0), x.dim(1) * heads, width}));
}

// A step of zeros behind those of x.
Tensor WithZeroStep(const Tensor& x, const QuantizableParts& parts) {
  Tensor zeros(DType::kFloat32, {x.dim(0), 1, x.dim(2)});
  return Joined(x, parts.requantize(zeros, x), 1);
}

struct Inputs {
  Tensor query;
  Tensor key;
  Tensor value;
};

Inputs InputsOf(const Module& attention, const Call& call) {
  Inputs inputs{call.TensorAt(0, "query"), call.TensorAt(1, "key"),
                call.TensorAt(2, "value")};
  for (Tensor* x : {&inputs.query, &inputs.key, &inputs.value}) {
    if (x->rank() != 3) call.Fail("input is " + ValueText(*x), "a tensor of rank 3");
    if (attention.Boolean("batch_first", false)) *x = Swapped(*x);
  }
  for (const auto& [position, mask] :
       {std::pair<size_t, const char*>(3, "key_padding_mask"), {5, "attn_mask"}}) {
    const Value* given = call.Find(position, mask);
    if (given != nullptr && !given->IsNone()) call.Fail("masks are not supported");
  }
  if (call.Boolean(7, "is_causal", false)) call.Fail("is_causal is not supported");
  return inputs;
}

}  // namespace

Value RunQuantizableAttention(Module& attention, const Call& call,
                              const QuantizableParts& parts) {
  const auto child = [&](const char* name) -> Module& {
    return QuantizableChild(attention, name, call);
  };
  const Inputs inputs = InputsOf(attention, call);
  const bool need_weights = call.Boolean(4, "need_weights", true);
  const bool average = call.Boolean(6, "average_attn_weights", true);
  const int64_t heads = attention.Integer("num_heads", 1);
  const int64_t steps = inputs.query.dim(0);
  const int64_t batch = inputs.query.dim(1);
  const int64_t size = inputs.query.dim(2);

  Tensor q = parts.call(child("linear_Q"), inputs.query);
  Tensor k = parts.call(child("linear_K"), inputs.key);
  Tensor v = parts.call(child("linear_V"), inputs.value);
  q = parts.scale(q, std::pow(static_cast<double>(size / heads), -0.5));
  const Tensor* bias_k = attention.FindTensor("bias_k");
  const Tensor* bias_v = attention.FindTensor("bias_v");
  if (bias_k != nullptr && bias_v != nullptr) {
    k = WithBiasRow(k, *bias_k, parts);
    v = WithBiasRow(v, *bias_v, parts);
  }
  q = ByHead(q, heads);
  k = ByHead(k, heads);
  v = ByHead(v, heads);
  if (attention.Boolean("add_zero_attn", false)) {
    k = WithZeroStep(k, parts);
    v = WithZeroStep(v, parts);
  }
  q = parts.call(child("dequant_q"), q);
  k = parts.call(child("dequant_k"), k);
  v = parts.call(child("dequant_v"), v);
  Tensor weights = CallFunction(parts, "torch.transpose", {k, 1, 2}, call);
  weights = CallFunction(parts, "torch.bmm", {q, weights}, call);
  weights = CallFunction(parts, "torch.softmax", {weights, -1}, call);
  Tensor output = CallFunction(parts, "torch.bmm", {weights, v}, call);
  // torch reads the heads of a batch_first result in the order in which they lie.
  output = attention.Boolean("batch_first", false)
               ? output.Reshaped({batch, steps, size})
               : Swapped(output).Reshaped({steps, batch, size});
  output = parts.call(child("quant_attn_output"), output);
  output = parts.call(child("out_proj"), output);
  weights = parts.call(child("quant_attn_output_weights"), weights);
  if (!need_weights) return Value::Tuple({output, Value()});
  weights = weights.Reshaped({batch, heads, steps, weights.dim(2)});
  if (average) weights = CallFunction(parts, "torch.mean", {weights, 1}, call);
  return Value::Tuple({output, weights});
}

}  // namespace qconform
