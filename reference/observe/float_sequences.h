// Sums and sequences of float32 in the order in which torch's x86 kernels round
// them. They decide which bin of a histogram a value falls into and which of two
// nearly equal errors is smaller, so the order is part of the definition.
#ifndef QCONFORM_REFERENCE_OBSERVE_FLOAT_SEQUENCES_H_
#define QCONFORM_REFERENCE_OBSERVE_FLOAT_SEQUENCES_H_

#include <cstdint>
#include <span>
#include <vector>

namespace qconform {

// `steps` values from start to end, counted up from start in the first half and down
// from end in the second, each by one fused multiply-add. (torch.linspace)
std::vector<float> LinearSequence(float start, float end, int64_t steps);

// Running sums in double, each rounded to float32. (torch.cumsum)
std::vector<float> CumulativeSum(std::span<const float> values);

// The floor of a / b as Python defines it, from the exact remainder.
// (torch.div with rounding_mode="floor")
float FloorDivide(float a, float b);

}  // namespace qconform

#endif  // QCONFORM_REFERENCE_OBSERVE_FLOAT_SEQUENCES_H_
