#include "datasets/pitch.h"

#include <algorithm>
#include <cmath>

namespace qconform {

std::vector<float> CrepeFrame(std::span<const double> samples) {
  const auto count = static_cast<double>(samples.size());
  double total = 0.0;
  for (double sample : samples) total += sample;
  const double mean = total / count;
  double squares = 0.0;
  for (double sample : samples) squares += (sample - mean) * (sample - mean);
  const double deviation = std::max(std::sqrt(squares / (count - 1)), 1e-10);
  std::vector<float> frame;
  frame.reserve(samples.size());
  for (double sample : samples) {
    frame.push_back(static_cast<float>((sample - mean) / deviation));
  }
  return frame;
}

double PitchInCents(std::span<const float> outputs) {
  const auto peak = std::max_element(outputs.begin(), outputs.end()) - outputs.begin();
  const auto last = static_cast<std::ptrdiff_t>(outputs.size()) - 1;
  double weight = 0.0;
  double total = 0.0;
  for (auto bin = std::max<std::ptrdiff_t>(0, peak - 4); bin <= std::min(last, peak + 4);
       ++bin) {
    const double output = outputs[static_cast<size_t>(bin)];
    weight += output;
    total += output * (20.0 * static_cast<double>(bin) + 1997.3794084376191);
  }
  return total / weight;
}

std::vector<double> PitchesInCents(const Tensor& outputs) {
  assert(outputs.rank() == 2 && outputs.dim(1) == kPitchBins);
  std::vector<double> cents;
  const float* row = outputs.data<float>();
  for (int64_t i = 0; i < outputs.dim(0); ++i, row += kPitchBins) {
    cents.push_back(PitchInCents({row, kPitchBins}));
  }
  return cents;
}

double CentsOfFrequency(double frequency) { return 1200.0 * std::log2(frequency / 10.0); }

}  // namespace qconform
