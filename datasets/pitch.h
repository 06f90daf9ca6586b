// What stands before and after CREPE (Kim, Salamon, Li, Bello, "CREPE: a
// convolutional representation for pitch estimation", ICASSP 2018).
#ifndef QCONFORM_DATASETS_PITCH_H_
#define QCONFORM_DATASETS_PITCH_H_

#include <span>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

inline constexpr int kPitchBins = 360;

// Without its mean, divided by its unbiased standard deviation (at least 1e-10).
// Computed in double, each result rounded once. Precondition: two samples or more.
std::vector<float> CrepeFrame(std::span<const double> samples);

// The pitch in cents above 10 Hz of one row of kPitchBins outputs: the mean of the
// bins' pitches over the nine bins round the maximum, weighted by the outputs.
// Bin b stands for 20 * b + 1997.379 cents.
double PitchInCents(std::span<const float> outputs);

// One pitch a row. Precondition: float32 [N, kPitchBins].
std::vector<double> PitchesInCents(const Tensor& outputs);

// 1200 * log2(frequency / 10 Hz)
double CentsOfFrequency(double frequency);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_PITCH_H_
