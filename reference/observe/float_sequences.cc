#include "reference/observe/float_sequences.h"

#include <cmath>

namespace qconform {
std::vector<float> LinearSequence(float start, float end, int64_t steps) {
  std::vector<float> values(static_cast<size_t>(steps));
  const float step = (end - start) / static_cast<float>(steps - 1);
  const int64_t half = steps / 2;
  for (int64_t i = 0; i < steps; ++i) {
    values[static_cast<size_t>(i)] =
        i < half ? std::fma(step, static_cast<float>(i), start)
                 : std::fma(-step, static_cast<float>(steps - i - 1), end);
  }
  return values;
}

std::vector<float> CumulativeSum(std::span<const float> values) {
  std::vector<float> sums;
  sums.reserve(values.size());
  double sum = 0.0;
  for (const float value : values) {
    sum += value;
    sums.push_back(static_cast<float>(sum));
  }
  return sums;
}

float FloorDivide(float a, float b) {
  if (b == 0.0f) return a / b;
  const float remainder = std::fmod(a, b);
  float quotient = (a - remainder) / b;
  if (remainder != 0.0f && (b < 0.0f) != (remainder < 0.0f)) quotient -= 1.0f;
  if (quotient == 0.0f) return std::copysign(0.0f, a / b);
  const float floor = std::floor(quotient);
  return quotient - floor > 0.5f ? floor + 1.0f : floor;
}

}  // namespace qconform
