// The configs that torchao makes for its quantizers.
#ifndef QCONFORM_REFERENCE_QUANTIZERS_DEFAULT_CONFIG_H_
#define QCONFORM_REFERENCE_QUANTIZERS_DEFAULT_CONFIG_H_

#include <cstdint>

#include "reference/pt2e/quantization_config.h"

namespace qconform {

// Activations uint8 0..255, or 0..127 under reduce_range, per tensor affine; weights int8
// per channel 0 symmetric; no bias. (get_default_x86_inductor_quantization_config)
struct X86InductorConfigOptions {
  bool is_qat = false;
  bool is_dynamic = false;
  bool reduce_range = false;
};
QuantizationConfigPointer DefaultX86InductorConfig(
    const X86InductorConfigOptions& options = {});

// Only the weight: float16. (get_x86_inductor_linear_dynamic_fp16_config)
QuantizationConfigPointer X86InductorLinearDynamicFp16Config();

// Activations int8 -128..127 per tensor affine; weights int8 -128..127 per tensor
// symmetric. (get_default_arm_inductor_quantization_config)
struct ArmInductorConfigOptions {
  bool is_qat = false;
  bool is_dynamic = false;
};
QuantizationConfigPointer DefaultArmInductorConfig(
    const ArmInductorConfigOptions& options = {});

// Activations int8 per tensor affine; weights int8 symmetric, on axis 0 if per channel; a
// dynamic one has no output spec. (get_symmetric_quantization_config)
struct SymmetricConfigOptions {
  bool is_per_channel = false;
  bool is_qat = false;
  bool is_dynamic = false;
  int64_t act_qmin = -128;
  int64_t act_qmax = 127;
  int64_t weight_qmin = -127;
  int64_t weight_qmax = 127;
};
QuantizationConfigPointer SymmetricConfig(const SymmetricConfigOptions& options = {});

// uint8 per channel 0 with float zero points. (get_embedding_operators_config)
QuantizationConfigPointer EmbeddingConfig();

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_QUANTIZERS_DEFAULT_CONFIG_H_
