#include "reference/pt2e/quantization_config.h"

#include "reference/ir/error.h"

namespace qconform {
namespace {

// dtype and qscheme, which every kind but the shared one has.
struct Codes {
  DType dtype;
  std::optional<QScheme> qscheme;
};

Codes CodesOf(const QuantizationSpecPointer& spec) {
  return std::visit(
      [](const auto& kind) -> Codes {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind)>,
                                     SharedQuantizationSpec>) {
          throw PipelineError("AttributeError",
                              "a shared spec has no dtype of its own to put in a config");
        } else {
          return {kind.dtype, kind.qscheme};
        }
      },
      *spec);
}

QuantizationSpecPointer PerTensor(const QuantizationSpecPointer& spec) {
  if (spec == nullptr) return nullptr;
  const std::optional<QScheme> qscheme = CodesOf(spec).qscheme;
  if (qscheme != QScheme::kPerTensorAffine && qscheme != QScheme::kPerTensorSymmetric) {
    throw PipelineError(
        "AssertionError",
        "an activation is quantized per tensor only, not as " + ToText(spec));
  }
  return spec;
}

}  // namespace

bool ConfigEquals(const QuantizationConfigPointer& a,
                  const QuantizationConfigPointer& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->is_qat == b->is_qat && SpecEquals(a->input_activation, b->input_activation) &&
         SpecEquals(a->output_activation, b->output_activation) &&
         SpecEquals(a->weight, b->weight) && SpecEquals(a->bias, b->bias);
}

QuantizationSpecPointer InputActivationSpec(const QuantizationConfigPointer& config) {
  return config == nullptr ? nullptr : PerTensor(config->input_activation);
}

QuantizationSpecPointer OutputActivationSpec(const QuantizationConfigPointer& config) {
  return config == nullptr ? nullptr : PerTensor(config->output_activation);
}

QuantizationSpecPointer WeightSpec(const QuantizationConfigPointer& config) {
  if (config == nullptr || config->weight == nullptr) return nullptr;
  const std::optional<QScheme> qscheme = CodesOf(config->weight).qscheme;
  if (qscheme && *qscheme != QScheme::kPerTensorSymmetric &&
      *qscheme != QScheme::kPerChannelSymmetric) {
    throw PipelineError("ValueError", "Unsupported quantization_spec " +
                                          ToText(config->weight) + " for weight");
  }
  return config->weight;
}

QuantizationSpecPointer BiasSpec(const QuantizationConfigPointer& config) {
  if (config == nullptr || config->bias == nullptr) return nullptr;
  if (CodesOf(config->bias).dtype != DType::kFloat32) {
    throw PipelineError("AssertionError",
                        "Only float dtype for bias is supported for bias right now");
  }
  return config->bias;
}

}  // namespace qconform
