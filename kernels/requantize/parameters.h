// The numbers that the end of one operator of products needs, computed once at plan.
#ifndef QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_
#define QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/qconform_backend.h"
#include "reference/numerics/requantize.h"

namespace qconform::kernels {

// The schemes of accumulators that the kernels themselves follow, as the ABI spells
// them.
inline constexpr char kBiasF32Scheme[] = "f32/one/even/bias_f32/zp_after";
inline constexpr char kBiasS32Scheme[] = "f32/one/even/bias_s32/zp_after";

// What becomes of an accumulator.
enum class ResultKind {
  kCodes,
  kCodesOneByOne,  // by another scheme, or with an infinite multiplier
  kAccumulators,   // s32 itself
  kReal            // f32
};

struct RequantizeParameters {
  ResultKind kind = ResultKind::kCodes;
  std::vector<int32_t> start;     // [O] added to the accumulator
  std::vector<float> bias;        // [O] added to the accumulator as a float
  std::vector<float> multiplier;  // [O] (sx * sw) / so; kReal: sx * sw
  float lower = 0;                // lowest code minus the output's zero point
  float upper = 0;                // kReal: bounds of the fused activation
  int32_t zero_point = 0;         // 128 more for s8 codes, which are then flipped
  uint8_t flip = 0;
  std::vector<ChannelRequantizer> one_by_one;  // [O] of kCodesOneByOne
  int32_t lowest = 0, highest = 0;             // codes, of kCodesOneByOne

  int ResultBytes() const { return kind == ResultKind::kCodes ? 1 : 4; }
};

// The constants of an operator of products, copied: they outlive the plan's arguments.
struct WeightedConstants {
  std::vector<float> weight_scale;  // [O]
  std::vector<float> real_bias;     // [O] or none
  std::vector<int32_t> bias_codes;  // [O] or none, in units of sx * sw
  Scheme scheme;

  // channels: output channel o has the scale o % (channels of the weight). bias: [O] in
  // f32 or s32 with data, nullptr: none. scheme: of accumulators.
  WeightedConstants(const qc_tensor& w, int64_t channels, const qc_tensor* bias,
                    const std::string& scheme);

  bool RoundsBias() const { return scheme.bias == Scheme::Bias::kS32; }

  // What the scheme of reference/numerics says for y under the fused activation, which
  // is a bound.
  RequantizeParameters Parameters(float input_scale, const qc_tensor& y,
                                  const qc_attributes& attributes) const;

  // Of an f32 output: fma(float(accumulator + start), multiplier, bias).
  void RealParameters(float input_scale, int32_t* start, float* multiplier,
                      float* bias) const;
};

// The bounds of a fused relu, relu6 or clamp; infinite for none.
void ActivationBounds(const qc_attributes& attributes, float& lowest, float& highest);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_REQUANTIZE_PARAMETERS_H_
