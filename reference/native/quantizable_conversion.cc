#include "reference/native/quantizable_conversion.h"

#include <algorithm>
#include <vector>

#include "reference/convert/reference_module.h"
#include "reference/ir/error.h"
#include "reference/native/quantized_module.h"
#include "reference/numerics/choose_qparams.h"
#include "reference/numerics/quantize.h"
#include "reference/observe/custom_lstm.h"
#include "reference/observe/make_observer.h"
#include "reference/observe/observer_module.h"
#include "reference/observe/quantizable/observe_parts.h"

namespace qconform {
namespace {

const std::string kRoom = "torch.ao.nn.quantized.";

std::shared_ptr<Module> Part(const std::string& type, const Module& observed) {
  auto part = std::make_shared<Module>();
  part->type = type;
  part->training = observed.training;
  return part;
}

OutputQparams OutputOf(const Module& part) {
  const auto* child = part.children.Find(kOutputObserver);
  const std::shared_ptr<Observer> observer = child ? ObserverOf(*child) : nullptr;
  if (!observer) {
    throw PipelineError("AttributeError",
                        part.type + " lacks its activation_post_process");
  }
  const Qparams qparams = observer->CalculateQparams();
  return {Tensor::FromVector<float>(DType::kFloat32, {},
                                    {static_cast<float>(ScaleValue(qparams))}),
          Tensor::FromVector<int64_t>(DType::kInt64, {}, {ZeroPointValue(qparams)})};
}

// A trained linear's fake-quantizer sees the weight once more. (nnq.Linear.from_float)
std::shared_ptr<Module> QuantizeLinear(const Module& linear, const QConfig& qconfig,
                                       const std::string& engine) {
  std::shared_ptr<Observer> weight;
  if (const auto* trained = linear.children.Find("weight_fake_quant")) {
    weight = ObserverOf(*trained);
  }
  if (!weight) weight = MakeObserver(*qconfig.weight);
  weight->Forward(*linear.FindTensor("weight"));
  if (weight->dtype != DType::kQInt8) {
    throw PipelineError("AssertionError", "Weight observer must have dtype torch.qint8");
  }
  Module plain;
  plain.type = "torch.nn.Linear";
  plain.training = linear.training;
  plain.attributes = linear.attributes;
  plain.parameters = linear.parameters;
  const std::shared_ptr<Module> reference =
      MakeReferenceModule(kRoom + "reference.Linear", plain, *weight, false);
  const std::shared_ptr<Module> quantized =
      MakeStaticWeighted(kRoom + "Linear", *reference, OutputOf(linear), engine);
  quantized->training = linear.training;
  return quantized;
}

std::shared_ptr<Module> QuantizeFunctional(const Module& functional) {
  const std::shared_ptr<Module> quantized = Part(kRoom + "QFunctional", functional);
  const OutputQparams output = OutputOf(functional);
  quantized->attributes.Set("scale", output.scale.ValueAt(0));
  quantized->attributes.Set("zero_point", output.zero_point.IntegerAt(0));
  quantized->children.Set(kOutputObserver, Part("torch.nn.Identity", functional));
  return quantized;
}

std::shared_ptr<Module> QuantizeStub(const Module& stub) {
  const std::shared_ptr<Module> quantized = Part(kRoom + "Quantize", stub);
  const OutputQparams output = OutputOf(stub);
  quantized->attributes.Set("dtype",
                            ObserverOf(*stub.children.Find(kOutputObserver))->dtype);
  quantized->buffers.Set("scale", output.scale.Reshaped({1}));
  quantized->buffers.Set("zero_point", output.zero_point.Reshaped({1}));
  return quantized;
}

// The part as it is after convert; nullptr if its children are to be looked at.
std::shared_ptr<Module> Quantized(const Module& part, const QConfig& qconfig,
                                  const std::string& engine) {
  if (part.type == "torch.nn.Linear" || part.type == "torch.ao.nn.qat.Linear") {
    return QuantizeLinear(part, qconfig, engine);
  }
  if (part.type == kFloatFunctionalType) return QuantizeFunctional(part);
  if (part.type == kQuantStubType) return QuantizeStub(part);
  if (part.type == kDequantStubType) return Part(kRoom + "DeQuantize", part);
  return nullptr;
}

std::shared_ptr<Module> QuantizeTree(const Module& observed, const QConfig& qconfig,
                                     const std::string& engine) {
  const std::shared_ptr<Module> root = observed.Clone();
  std::vector<Module*> open = {root.get()};
  while (!open.empty()) {
    Module* part = open.back();
    open.pop_back();
    part->children.Erase(kOutputObserver);
    for (auto& [name, child] : part->children) {
      if (!child) continue;
      if (auto quantized = Quantized(*child, qconfig, engine)) {
        child = std::move(quantized);
      } else {
        open.push_back(child.get());
      }
    }
  }
  return root;
}

// torch chooses the parameters of bias_v from the already quantized bias_k.
void QuantizeBiases(Module& attention) {
  const Tensor* first = attention.FindTensor("bias_k");
  if (first == nullptr) return;
  float low = 0;
  float high = 0;
  const auto choose = [&](const Tensor& x) {
    low = high = static_cast<float>(x.numel() > 0 ? x.ValueAt(0) : 0);
    for (int64_t i = 0; i < x.numel(); ++i) {
      low = std::min(low, static_cast<float>(x.ValueAt(i)));
      high = std::max(high, static_cast<float>(x.ValueAt(i)));
    }
    return ChooseQuantizationParams(low, high, 0, 255);
  };
  const auto quantize = [](const Tensor& x, const ChosenQparams& chosen) {
    return QuantizePerTensor(x, chosen.scale, chosen.zero_point, DType::kQUInt8);
  };
  const Tensor bias_k = quantize(*first, choose(*first));
  attention.parameters.Erase("bias_k");
  attention.buffers.Set("bias_k", bias_k);
  const Tensor* second = attention.FindTensor("bias_v");
  if (second == nullptr) return;
  const Tensor bias_v = quantize(*second, choose(Dequantize(bias_k)));
  attention.parameters.Erase("bias_v");
  attention.buffers.Set("bias_v", bias_v);
}

}  // namespace

void AddQuantizableConversions(ConvertOptions& options) {
  const std::string engine = options.engine;
  const ConvertCustomConfig& config = options.custom_config;
  for (const auto* classes :
       {&config.static_quantized_classes, &config.dynamic_quantized_classes,
        &config.weight_only_quantized_classes}) {
    for (const auto& [observed_type, quantized_type] : *classes) {
      const bool is_attention = IsQuantizableAttention(observed_type);
      if (!is_attention && !IsQuantizableLstm(observed_type)) continue;
      if (options.custom_conversions.Contains(observed_type)) continue;
      options.custom_conversions.Set(
          observed_type,
          [engine, is_attention](const Module& observed, const QConfig& qconfig,
                                 const std::shared_ptr<Observer>&) {
            const std::shared_ptr<Module> quantized =
                QuantizeTree(observed, qconfig, engine);
            quantized->type = kRoom + (is_attention ? "MultiheadAttention" : "LSTM");
            if (is_attention) QuantizeBiases(*quantized);
            return quantized;
          });
    }
  }
}

}  // namespace qconform
