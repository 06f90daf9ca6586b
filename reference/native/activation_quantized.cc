// Norms, activations and embeddings.
#include "reference/ir/error.h"
#include "reference/native/quantized_module.h"
#include "reference/native/reference_values.h"
#include "reference/numerics/quantize.h"
#include "reference/observe/make_observer.h"

namespace qconform {
namespace {

void CopyAffine(const Module& from, Module& to) {
  to.parameters.Set("weight", OptionalParameter(from, "weight"));
  to.parameters.Set("bias", OptionalParameter(from, "bias"));
}

void SetOutputBuffers(const OutputQparams& output, Module& module) {
  module.buffers.Set("scale", output.scale);
  module.buffers.Set("zero_point", output.zero_point);
}

void SetOutputAttributes(const OutputQparams& output, Module& module) {
  module.attributes.Set("scale", output.scale.ValueAt(0));
  module.attributes.Set("zero_point", output.zero_point.IntegerAt(0));
}

// (nnq.modules.batchnorm._BatchNorm.from_reference)
void FillBatchNorm(const Module& container, const OutputQparams& output, Module& module) {
  const auto* first = container.children.Find("0");
  const Module& norm = first != nullptr && *first ? **first : container;
  if (norm.FindTensor("weight") == nullptr) {
    throw PipelineError("AttributeError", "'NoneType' object has no attribute 'device'");
  }
  CopyAttributes(norm, {"num_features", "eps", "momentum"}, module);
  module.attributes.Set("affine", true);
  module.attributes.Set("track_running_stats", true);
  CopyAffine(norm, module);
  module.buffers.Set("running_mean", OptionalParameter(norm, "running_mean"));
  module.buffers.Set("running_var", OptionalParameter(norm, "running_var"));
  module.buffers.Set("num_batches_tracked", Tensor(DType::kInt64, {}));
  SetOutputBuffers(output, module);
}

// The slope, observed by the float module's own qconfig. (nnq.PReLU.from_reference)
Tensor QuantizedSlope(const Module& module, const QConfigPointer& qconfig) {
  if (qconfig == nullptr) {
    throw PipelineError("AttributeError", "'NoneType' object has no attribute 'weight'");
  }
  if (!qconfig->weight) {
    throw PipelineError("TypeError", "'NoneType' object is not callable");
  }
  const Tensor* slope = module.FindTensor("weight");
  if (slope == nullptr) {
    throw PipelineError("AttributeError", "PReLU has no attribute weight");
  }
  const std::shared_ptr<Observer> observer = MakeObserver(*qconfig->weight);
  observer->Forward(*slope);
  const Qparams qparams = observer->CalculateQparams();
  return QuantizePerTensor(*slope, ScaleValue(qparams), ZeroPointValue(qparams),
                           DType::kQUInt8);
}

}  // namespace

std::shared_ptr<Module> MakeQuantizedActivation(const std::string& type,
                                                const Module& module,
                                                const OutputQparams& output,
                                                const QConfigPointer& qconfig) {
  auto quantized = std::make_shared<Module>();
  quantized->type = type;
  const std::string name = type.substr(type.rfind('.') + 1);
  if (name.starts_with("BatchNorm") || name.starts_with("BNReLU")) {
    FillBatchNorm(module, output, *quantized);
  } else if (name == "LayerNorm") {
    CopyAttributes(module, {"normalized_shape", "eps", "elementwise_affine"}, *quantized);
    CopyAffine(module, *quantized);
    SetOutputBuffers(output, *quantized);
  } else if (name.starts_with("InstanceNorm")) {
    CopyAttributes(module, {"num_features", "eps"}, *quantized);
    // torch hands `affine` over in the place of `momentum`.
    quantized->attributes.Set("momentum", module.Boolean("affine", false));
    quantized->attributes.Set("affine", false);
    quantized->attributes.Set("track_running_stats", false);
    CopyAffine(module, *quantized);
    SetOutputBuffers(output, *quantized);
  } else if (name == "PReLU") {
    CopyAttributes(module, {"num_parameters"}, *quantized);
    quantized->buffers.Set("weight", QuantizedSlope(module, qconfig));
    SetOutputAttributes(output, *quantized);
  } else if (name == "ELU") {
    CopyAttributes(module, {"alpha"}, *quantized);
    quantized->attributes.Set("inplace", false);
    SetOutputAttributes(output, *quantized);
  } else if (name == "LeakyReLU") {
    CopyAttributes(module, {"negative_slope", "inplace"}, *quantized);
    SetOutputBuffers(output, *quantized);
  } else if (name == "Hardswish") {
    quantized->attributes.Set("inplace", false);
    SetOutputBuffers(output, *quantized);
  } else if (name == "Softmax") {
    CopyAttributes(module, {"dim"}, *quantized);
    SetOutputAttributes(output, *quantized);
  } else {
    CopyAttributes(module, {"p", "inplace"}, *quantized);
  }
  return quantized;
}

std::shared_ptr<Module> MakeQuantizedEmbedding(const std::string& type,
                                               const Module& reference) {
  const std::optional<DType> dtype = ReferenceWeightDType(reference, "weight");
  const Tensor weight = ReferenceWeight(reference, "weight");
  if (dtype != DType::kQUInt8 && dtype != DType::kQUInt4x2) {
    throw PipelineError("NotImplementedError",
                        "Unsupported dtype on quantized embedding");
  }
  if (reference.Text("weight_qscheme", "") != "torch.per_channel_affine_float_qparams") {
    throw PipelineError("RuntimeError",
                        "Expect embedding_bag weights to be quantized using "
                        "kPerChannelAffineFloatQParams");
  }
  auto module = std::make_shared<Module>();
  module->type = type;
  CopyAttributes(reference, {"num_embeddings", "embedding_dim"}, *module);
  if (type.ends_with("EmbeddingBag")) {
    CopyAttributes(reference, {"mode", "include_last_offset"}, *module);
  }
  auto packed = std::make_shared<Module>();
  packed->type = "torch.ao.nn.quantized.modules.embedding_ops.EmbeddingPackedParams";
  packed->buffers.Set("weight", weight);
  module->children.Set("_packed_params", packed);
  return module;
}

}  // namespace qconform
