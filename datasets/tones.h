// Synthesized harmonic tones with a known pitch: input for CREPE. Integer phases, a
// seeded generator and IEEE doubles in a fixed order: the bytes are equal on every
// machine, and equal to those of datasets/export/tones.py.
#ifndef QCONFORM_DATASETS_TONES_H_
#define QCONFORM_DATASETS_TONES_H_

#include <cstdint>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

inline constexpr int kToneRate = 16000;  // samples a second
inline constexpr int kToneLength = 1024;

// sin of phase / 2^32 turns, within 2^-50; no library function is called.
double SineOfPhase(uint32_t phase);

struct Tone {
  double frequency;             // Hz, of the fundamental
  std::vector<double> samples;  // kToneLength of them
};

// Tone `index` of a seed: 60 to 960 Hz, 4 to 10 harmonics, each of amplitude
// [0.5, 1] / harmonic with a phase of its own; noise of 1 to 10 % of the signal's
// root mean square (40 to 20 dB).
Tone SynthesizeTone(uint32_t seed, uint32_t index);

struct ToneFrames {
  std::vector<double> frequencies;  // Hz
  Tensor frames;                    // float32 [count, kToneLength], see CrepeFrame
};

// Tones 0 .. count - 1 of a seed as frames for CREPE.
ToneFrames SynthesizeToneFrames(uint32_t seed, int count);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_TONES_H_
