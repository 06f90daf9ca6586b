#include "datasets/tones.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/formats/json_file.h"
#include "reference/formats/sha256.h"

namespace qconform {
namespace {

std::string Digest(const Tensor& tensor) {
  return Sha256Hex({reinterpret_cast<const char*>(tensor.bytes()), tensor.byte_size()});
}

TEST(Tones, SineIsWithinItsBoundAndOddAndMirrored) {
  for (uint64_t step = 0; step < 4096; ++step) {
    const auto phase = static_cast<uint32_t>(step * 1048573u);
    const double turn = 6.283185307179586 * (static_cast<double>(phase) / 4294967296.0);
    // Twice 2^-50: the argument of the library's sine is itself rounded.
    EXPECT_NEAR(SineOfPhase(phase), std::sin(turn), 0x1p-49) << phase;
    EXPECT_EQ(SineOfPhase(0u - phase), -SineOfPhase(phase));
    EXPECT_EQ(SineOfPhase(0x80000000u - phase), SineOfPhase(phase));
  }
  EXPECT_EQ(SineOfPhase(0), 0.0);
  EXPECT_NEAR(SineOfPhase(0x40000000u), 1.0, 0x1p-50);
}

// The digests come from datasets/export/tones.py, by way of the exporter.
TEST(Tones, FramesHaveTheBytesThatTheExporterSaw) {
  const JsonFile record =
      JsonFile::Read(QCONFORM_SOURCE_DIR "/datasets/models/crepe_tiny/torch.json");
  const ordered_json& root = record.root();
  EXPECT_EQ(Digest(SynthesizeToneFrames(7, 32).frames), root.at("calibration_sha256"));
  EXPECT_EQ(Digest(SynthesizeToneFrames(1, 60).frames), root.at("evaluation_sha256"));
}

TEST(Tones, FrequencyIsThatOfTheSamples) {
  // Correlate a tone with its own fundamental and with one a third higher.
  const Tone tone = SynthesizeTone(3, 5);
  ASSERT_GE(tone.frequency, 60.0);
  ASSERT_LE(tone.frequency, 960.0);
  const auto power_at = [&](double frequency) {
    double real = 0;
    double imaginary = 0;
    for (int n = 0; n < kToneLength; ++n) {
      const double angle = 6.283185307179586 * frequency * n / kToneRate;
      real += tone.samples[static_cast<size_t>(n)] * std::cos(angle);
      imaginary += tone.samples[static_cast<size_t>(n)] * std::sin(angle);
    }
    return real * real + imaginary * imaginary;
  };
  EXPECT_GT(power_at(tone.frequency), 10 * power_at(tone.frequency * 4 / 3));
}

TEST(Tones, SeedsAndIndicesGiveDifferentTones) {
  EXPECT_NE(SynthesizeTone(1, 0).samples, SynthesizeTone(1, 1).samples);
  EXPECT_NE(SynthesizeTone(1, 0).samples, SynthesizeTone(2, 0).samples);
}

}  // namespace
}  // namespace qconform
