// The specs that a quantizer gives to the tensors of one operator.
// (torchao.quantization.pt2e.quantizer.utils.QuantizationConfig)
#ifndef QCONFORM_REFERENCE_PT2E_QUANTIZATION_CONFIG_H_
#define QCONFORM_REFERENCE_PT2E_QUANTIZATION_CONFIG_H_

#include <memory>

#include "reference/pt2e/quantization_spec.h"

namespace qconform {

// A spec that is None leaves that tensor in float.
struct QuantizationConfig {
  QuantizationSpecPointer input_activation;
  QuantizationSpecPointer output_activation;
  QuantizationSpecPointer weight;
  QuantizationSpecPointer bias;
  bool is_qat = false;
};

// nullptr is None: leave the operator in float.
using QuantizationConfigPointer = std::shared_ptr<const QuantizationConfig>;

bool ConfigEquals(const QuantizationConfigPointer& a, const QuantizationConfigPointer& b);

// nullptr where config or spec is None. Throw as torchao's: activations other than per
// tensor PipelineError("AssertionError"), weights other than symmetric
// PipelineError("ValueError"), a bias other than float32 PipelineError("AssertionError"),
// a spec of another kind PipelineError("AttributeError").
QuantizationSpecPointer InputActivationSpec(const QuantizationConfigPointer& config);
QuantizationSpecPointer OutputActivationSpec(const QuantizationConfigPointer& config);
QuantizationSpecPointer WeightSpec(const QuantizationConfigPointer& config);
QuantizationSpecPointer BiasSpec(const QuantizationConfigPointer& config);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_PT2E_QUANTIZATION_CONFIG_H_
