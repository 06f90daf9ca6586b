// quantize.h's formula for codes of one byte, on vectors.
#ifndef QCONFORM_REFERENCE_NUMERICS_QUANTIZE_LANES_H_
#define QCONFORM_REFERENCE_NUMERICS_QUANTIZE_LANES_H_

#include <cstdint>

namespace qconform {

// What a run of values is quantized with. Bounds and zero point fit into one byte.
struct ByteQuantization {
  float reciprocal;
  int32_t zero_point;
  int32_t min;
  int32_t max;
};

// Writes the codes of n values, of a signed dtype as two's complement. False if one of
// them is NaN or so large that the dialects of quantize.h differ: the codes do not count
// then.
bool QuantizeOrdinaryBytes(const float* x, int64_t n, ByteQuantization quantization,
                           uint8_t* codes);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_NUMERICS_QUANTIZE_LANES_H_
