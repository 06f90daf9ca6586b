#include "datasets/tones.h"

#include <cmath>

#include "datasets/pitch.h"
#include "reference/ir/splitmix64.h"

namespace qconform {
namespace {

constexpr double kTurn = 4294967296.0;  // 2^32 phase steps

void AddHarmonic(double amplitude, uint32_t phase, uint64_t increment,
                 std::vector<double>& samples) {
  uint64_t step = 0;
  for (double& sample : samples) {
    sample += amplitude * SineOfPhase(phase + static_cast<uint32_t>(step));
    step += increment;
  }
}

// Nearly normal, variance 1: the sum of twelve uniform numbers (Irwin and Hall).
double NormalLike(SplitMix64& generator) {
  double total = -6.0;
  for (int i = 0; i < 12; ++i) total += generator.Uniform();
  return total;
}

}  // namespace

double SineOfPhase(uint32_t phase) {
  // Fold onto a quarter wave to either side of zero, then Taylor to the 21st power.
  int64_t folded = static_cast<int32_t>(phase);
  if (folded > (1 << 30)) {
    folded = (int64_t{1} << 31) - folded;
  } else if (folded < -(1 << 30)) {
    folded = -(int64_t{1} << 31) - folded;
  }
  const double x = static_cast<double>(folded) * (6.283185307179586 / kTurn);
  const double square = x * x;
  double term = 1.0;
  for (int n = 20; n > 0; n -= 2) term = 1.0 - square / (n * (n + 1)) * term;
  return x * term;
}

Tone SynthesizeTone(uint32_t seed, uint32_t index) {
  SplitMix64 generator((static_cast<uint64_t>(seed) << 32) + index);
  const double base = 60.0 * static_cast<double>(1 << (generator.Next() & 3));
  const double wanted = base * (1.0 + generator.Uniform());
  const auto increment = static_cast<uint64_t>(wanted * kTurn / kToneRate);
  const int harmonics = 4 + static_cast<int>(generator.Next() % 7);

  Tone tone{static_cast<double>(increment) * (kToneRate / kTurn),
            std::vector<double>(kToneLength, 0.0)};
  for (int harmonic = 1; harmonic <= harmonics; ++harmonic) {
    const double amplitude = (0.5 + 0.5 * generator.Uniform()) / harmonic;
    const auto phase = static_cast<uint32_t>(generator.Next() >> 32);
    const uint64_t step = increment * static_cast<uint64_t>(harmonic);
    if (step >= (uint64_t{1} << 31)) continue;  // above half the sampling rate
    AddHarmonic(amplitude, phase, step, tone.samples);
  }

  double power = 0.0;
  for (double sample : tone.samples) power += sample * sample;
  const double noise =
      std::sqrt(power / kToneLength) * (0.01 + 0.09 * generator.Uniform());
  for (double& sample : tone.samples) sample += noise * NormalLike(generator);
  return tone;
}

ToneFrames SynthesizeToneFrames(uint32_t seed, int count) {
  ToneFrames result{{}, Tensor(DType::kFloat32, {count, kToneLength})};
  float* out = result.frames.data<float>();
  for (int index = 0; index < count; ++index) {
    const Tone tone = SynthesizeTone(seed, static_cast<uint32_t>(index));
    result.frequencies.push_back(tone.frequency);
    const std::vector<float> frame = CrepeFrame(tone.samples);
    out = std::copy(frame.begin(), frame.end(), out);
  }
  return result;
}

}  // namespace qconform
