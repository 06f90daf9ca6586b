// Sums and products of rows whose codes lie side by side, where no value leaves float32.
#ifndef QCONFORM_KERNELS_ELEMENTWISE_DENSE_ROWS_H_
#define QCONFORM_KERNELS_ELEMENTWISE_DENSE_ROWS_H_

#include <cstdint>
#include <optional>

#include "kernels/requantize/real_parameters.h"
#include "kernels/target/path.h"

namespace qconform::kernels {

// clamp(rint((real a + real b) * reciprocal) + zero_point), or of the product, as bytes.
struct DenseRowParameters {
  RealInputParameters a, b;
  float reciprocal;
  int16_t zero_point;       // as in RealOutputParameters
  uint8_t lowest, highest;  // of the flipped codes, with the fused activation's
  uint8_t flip;

  // Whether there is nothing to flip and to clamp.
  bool plain() const {
    return a.flip == 0 && b.flip == 0 && flip == 0 && lowest == 0 && highest == 255;
  }
};

// What `output` and an activation to [lowest, highest] say in such numbers; none where a
// value could be no number, infinite or beyond 32 bits when it is rounded.
std::optional<DenseRowParameters> DenseRowParametersOf(
    const RealInputParameters& a, const RealInputParameters& b, bool multiplies,
    float lowest, float highest, const RealOutputParameters& output);

// count codes; b is one code for all of them where it `repeats`. y overlaps neither.
using DenseRow = void (*)(const uint8_t* a, const uint8_t* b, uint8_t* y, int64_t count,
                          const DenseRowParameters& parameters);
DenseRow DenseRowOf(Path path, bool multiplies, bool repeats, bool plain);

}  // namespace qconform::kernels

#endif  // QCONFORM_KERNELS_ELEMENTWISE_DENSE_ROWS_H_
