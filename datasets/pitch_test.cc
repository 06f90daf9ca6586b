#include "datasets/pitch.h"

#include <gtest/gtest.h>

#include <cmath>

namespace qconform {
namespace {

TEST(Pitch, FrameHasNoMeanAndUnitDeviation) {
  const std::vector<double> samples = {1.0, 2.0, 3.0, 6.0};
  // mean 3, squares 4 + 1 + 0 + 9 = 14, unbiased variance 14 / 3
  const std::vector<float> frame = CrepeFrame(samples);
  const double deviation = std::sqrt(14.0 / 3.0);
  EXPECT_EQ(frame[0], static_cast<float>(-2.0 / deviation));
  EXPECT_EQ(frame[2], 0.0f);
  EXPECT_EQ(frame[3], static_cast<float>(3.0 / deviation));
}

TEST(Pitch, SilenceGivesZeros) {
  EXPECT_EQ(CrepeFrame(std::vector<double>{0.25, 0.25, 0.25}),
            (std::vector<float>{0.0f, 0.0f, 0.0f}));
}

TEST(Pitch, MeanOfNineBinsRoundTheMaximum) {
  std::vector<float> outputs(kPitchBins, 0.0f);
  outputs[100] = 1.0f;
  EXPECT_DOUBLE_EQ(PitchInCents(outputs), 2000 + 1997.3794084376191);
  outputs[101] = 1.0f;  // the first maximum counts; its neighbour weighs as much
  EXPECT_DOUBLE_EQ(PitchInCents(outputs), 2010 + 1997.3794084376191);
  outputs[105] = 0.5f;  // five bins away: outside
  EXPECT_DOUBLE_EQ(PitchInCents(outputs), 2010 + 1997.3794084376191);
}

TEST(Pitch, MaximumAtTheEdge) {
  std::vector<float> outputs(kPitchBins, 0.0f);
  outputs[0] = 1.0f;
  EXPECT_DOUBLE_EQ(PitchInCents(outputs), 1997.3794084376191);
  outputs.assign(kPitchBins, 0.0f);
  outputs.back() = 1.0f;
  EXPECT_DOUBLE_EQ(PitchInCents(outputs), 7180 + 1997.3794084376191);
}

TEST(Pitch, CentsAboveTenHertz) {
  EXPECT_EQ(CentsOfFrequency(10.0), 0.0);
  EXPECT_EQ(CentsOfFrequency(40.0), 2400.0);
}

}  // namespace
}  // namespace qconform
