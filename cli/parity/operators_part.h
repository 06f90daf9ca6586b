// The oracle records of quantized operators: "ops" of numerics.json, against the scalar
// definitions.
#ifndef QCONFORM_CLI_PARITY_OPERATORS_PART_H_
#define QCONFORM_CLI_PARITY_OPERATORS_PART_H_

#include <nlohmann/json.hpp>

#include "cli/parity/part.h"

namespace qconform::parity {

// Convolution and linear: f32/one/even/bias_f32/zp_after against fbgemm ("fbgemm") and
// f32/one/even/bias_s32/zp_after against qnnpack ("qnnpack"). Every other operator:
// real/one/even/bias_f32/zp_after against torch's dequantize, float, quantize
// ("reference"). Records without a scalar definition are notes.
PartReport OperatorsPart(const nlohmann::ordered_json& file);

}  // namespace qconform::parity

#endif  // QCONFORM_CLI_PARITY_OPERATORS_PART_H_
