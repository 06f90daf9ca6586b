#include "reference/quantizers/default_config.h"

#include <memory>
#include <string>

namespace qconform {
namespace {

constexpr double kEps = 1.0 / 4096;

ObserverConstructor WithEps(const std::string& class_name,
                            std::shared_ptr<const ObserverConstructor> observer = {}) {
  return ObserverConstructor(class_name, {{"eps", kEps}}, std::move(observer));
}

std::shared_ptr<const ObserverConstructor> Bare(const std::string& class_name) {
  auto observer = std::make_shared<ObserverConstructor>(class_name);
  observer->has_arguments = false;
  return observer;
}

// The same in all of torchao's configs.
ObserverConstructor ActivationObserver(bool is_qat, bool is_dynamic) {
  if (is_qat && is_dynamic) {
    // No averaging: the range of the present input.
    return WithEps("FakeQuantize", std::make_shared<ObserverConstructor>(
                                       "MovingAverageMinMaxObserver",
                                       OrderedMap<Argument>{{"averaging_constant", 1}}));
  }
  if (is_qat) return WithEps("FusedMovingAvgObsFakeQuantize");
  return WithEps(is_dynamic ? "PlaceholderObserver" : "HistogramObserver");
}

ObserverConstructor WeightObserver(bool is_qat, bool per_channel) {
  if (is_qat) {
    return WithEps("FusedMovingAvgObsFakeQuantize",
                   Bare(per_channel ? "MovingAveragePerChannelMinMaxObserver"
                                    : "MovingAverageMinMaxObserver"));
  }
  return WithEps(per_channel ? "PerChannelMinMaxObserver" : "MinMaxObserver");
}

QuantizationSpec MakeCodes(DType dtype, int64_t quant_min, int64_t quant_max,
                           QScheme qscheme, ObserverConstructor observer) {
  QuantizationSpec spec;
  spec.dtype = dtype;
  spec.quant_min = quant_min;
  spec.quant_max = quant_max;
  spec.qscheme = qscheme;
  spec.observer = std::move(observer);
  return spec;
}

struct Kind {
  bool is_qat;
  bool is_dynamic;
  bool has_output;
};

QuantizationConfigPointer MakeConfig(QuantizationSpec activation, QuantizationSpec weight,
                                     const Kind& kind) {
  auto config = std::make_shared<QuantizationConfig>();
  activation.is_dynamic = kind.is_dynamic;
  config->input_activation = MakeSpec(std::move(activation));
  if (kind.has_output) config->output_activation = config->input_activation;
  config->weight = MakeSpec(std::move(weight));
  config->is_qat = kind.is_qat;
  return config;
}

}  // namespace

QuantizationConfigPointer DefaultX86InductorConfig(
    const X86InductorConfigOptions& options) {
  QuantizationSpec weight =
      MakeCodes(DType::kInt8, -128, 127, QScheme::kPerChannelSymmetric,
                WeightObserver(options.is_qat, true));
  weight.ch_axis = 0;
  return MakeConfig(MakeCodes(DType::kUInt8, 0, options.reduce_range ? 127 : 255,
                              QScheme::kPerTensorAffine,
                              ActivationObserver(options.is_qat, options.is_dynamic)),
                    std::move(weight), {options.is_qat, options.is_dynamic, true});
}

QuantizationConfigPointer X86InductorLinearDynamicFp16Config() {
  QuantizationSpec weight;
  weight.dtype = DType::kFloat16;
  weight.observer = *Bare("PlaceholderObserver");
  auto config = std::make_shared<QuantizationConfig>();
  config->weight = MakeSpec(std::move(weight));
  return config;
}

QuantizationConfigPointer DefaultArmInductorConfig(
    const ArmInductorConfigOptions& options) {
  return MakeConfig(MakeCodes(DType::kInt8, -128, 127, QScheme::kPerTensorAffine,
                              ActivationObserver(options.is_qat, options.is_dynamic)),
                    MakeCodes(DType::kInt8, -128, 127, QScheme::kPerTensorSymmetric,
                              WeightObserver(options.is_qat, false)),
                    {options.is_qat, options.is_dynamic, true});
}

QuantizationConfigPointer SymmetricConfig(const SymmetricConfigOptions& options) {
  QuantizationSpec weight =
      MakeCodes(DType::kInt8, options.weight_qmin, options.weight_qmax,
                options.is_per_channel ? QScheme::kPerChannelSymmetric
                                       : QScheme::kPerTensorSymmetric,
                WeightObserver(options.is_qat, options.is_per_channel));
  // torchao's has an axis even per tensor.
  weight.ch_axis = 0;
  return MakeConfig(MakeCodes(DType::kInt8, options.act_qmin, options.act_qmax,
                              QScheme::kPerTensorAffine,
                              ActivationObserver(options.is_qat, options.is_dynamic)),
                    std::move(weight),
                    {options.is_qat, options.is_dynamic, !options.is_dynamic});
}

QuantizationConfigPointer EmbeddingConfig() {
  QuantizationSpec weight;
  weight.dtype = DType::kUInt8;
  weight.observer = WithEps("PerChannelMinMaxObserver");
  weight.qscheme = QScheme::kPerChannelAffineFloatQparams;
  weight.ch_axis = 0;
  auto config = std::make_shared<QuantizationConfig>();
  config->weight = MakeSpec(std::move(weight));
  return config;
}

}  // namespace qconform
