// The numbers that the requantization of one operator needs, computed once at plan.
#ifndef QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_
#define QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"

namespace qconform::kernels {

// The schemes that the kernels follow, as the ABI spells them.
inline constexpr char kBiasF32Scheme[] = "f32/one/even/bias_f32/zp_after";
inline constexpr char kBiasS32Scheme[] = "f32/one/even/bias_s32/zp_after";

struct RequantizeParameters {
  std::vector<int32_t> start;     // [O] added to the accumulator
  std::vector<float> bias;        // [O] added to the accumulator as a float
  std::vector<float> multiplier;  // [O] (sx * sw) / so
  float lower = 0;                // lowest code minus the output's zero point
  float upper = 0;
  int32_t zero_point = 0;  // 128 more for s8 codes, which are then flipped
  uint8_t flip = 0;
};

// What the scheme of reference/numerics says for x, w [O,...], an optional bias [O] in
// f32 or s32 with data (nullptr: none), and y under the fused activation. Accumulators
// start at zero, or at the rounded bias under bias_s32. False with a reason if a
// multiplier is not a finite number.
bool ComputeRequantizeParameters(const qc_tensor& x, const qc_tensor& w,
                                 const qc_tensor* bias, const qc_tensor& y,
                                 const qc_attributes& attributes, bool bias_s32,
                                 RequantizeParameters& parameters, std::string& reason);

// The code range of a quantized tensor: its own, or that of its dtype.
void CodeRange(const qc_tensor& tensor, int32_t& lowest, int32_t& highest);

int32_t ZeroPoint(const qc_tensor& tensor, int64_t channel);
float Scale(const qc_tensor& tensor, int64_t channel);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_
