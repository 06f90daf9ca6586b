// (torch.ao.nn.quantizable.MultiheadAttention.from_float)
#include "reference/ir/error.h"
#include "reference/ir/rows.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/quantizable/observe_parts.h"
#include "reference/observe/quantizable/part.h"
#include "reference/observe/quantizable/quantizable_modules.h"

namespace qconform {
namespace {

const Tensor& Parameter(const Module& module, const char* name) {
  const Tensor* tensor = module.FindTensor(name);
  if (tensor == nullptr) {
    throw PipelineError("AttributeError", module.type + " lacks " + name);
  }
  return *tensor;
}

// A third of the rows that query, key and value have in common.
Tensor Third(const Tensor& all, int64_t index) {
  const int64_t rows = all.dim(0) / 3;
  return Rows(all, index * rows, (index + 1) * rows);
}

std::shared_ptr<Module> ObserveAttention(const Module& attention,
                                         const QConfig& qconfig) {
  if (attention.type != "torch.nn.MultiheadAttention") {
    throw PipelineError(
        "AssertionError",
        "Expected type torch.nn.MultiheadAttention, got " + attention.type);
  }
  const auto* out = attention.children.Find("out_proj");
  if (out == nullptr || !*out) {
    throw PipelineError("AttributeError", "an attention lacks its out_proj");
  }
  const std::shared_ptr<Module> observed =
      MakePart("torch.ao.nn.quantizable.modules.activation.MultiheadAttention");
  observed->attributes = attention.attributes;
  for (const char* name : {"bias_k", "bias_v"}) {
    const Tensor* bias = attention.FindTensor(name);
    if (bias != nullptr) observed->parameters.Set(name, *bias);
  }
  const Tensor* out_bias = (*out)->FindTensor("bias");
  observed->children.Set(
      "out_proj", MakeLinearPart(Parameter(**out, "weight"),
                                 out_bias == nullptr ? std::nullopt
                                                     : std::optional<Tensor>(*out_bias)));
  const Tensor* joint = attention.FindTensor("in_proj_weight");
  const Tensor* joint_bias = attention.FindTensor("in_proj_bias");
  int index = 0;
  for (const auto& [name, own] :
       {std::pair<const char*, const char*>("linear_Q", "q_proj_weight"),
        {"linear_K", "k_proj_weight"},
        {"linear_V", "v_proj_weight"}}) {
    const Tensor weight =
        joint != nullptr ? Third(*joint, index) : Parameter(attention, own);
    std::optional<Tensor> bias;
    if (joint_bias != nullptr) bias = Third(*joint_bias, index);
    observed->children.Set(name, MakeLinearPart(weight, bias));
    ++index;
  }
  observed->children.Set("q_scaling_product", MakePart(kFloatFunctionalType));
  for (const char* name : {"quant_attn_output", "quant_attn_output_weights"}) {
    observed->children.Set(name, MakePart(kQuantStubType));
  }
  for (const char* name : {"dequant_q", "dequant_k", "dequant_v"}) {
    observed->children.Set(name, MakePart(kDequantStubType));
  }
  // Never trained: prepare sets it to evaluation.
  ObserveParts(*observed, qconfig, false);
  return observed;
}

}  // namespace

CustomObservation QuantizableObservation(const std::string& observed_type) {
  if (IsQuantizableLstm(observed_type)) {
    return [](const Module& module, const QConfig& qconfig) {
      return ObserveLstm(module, qconfig, false);
    };
  }
  if (IsQuantizableAttention(observed_type)) return ObserveAttention;
  return nullptr;
}

}  // namespace qconform
