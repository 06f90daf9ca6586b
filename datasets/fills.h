// Test data named after the trap that it reaches. Every value is a function of a key
// (the case's id and the tensor's name) and its index, so a case is the same on every
// machine and needs no seed elsewhere.
#ifndef QCONFORM_DATASETS_FILLS_H_
#define QCONFORM_DATASETS_FILLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/ir/tensor.h"

namespace qconform {

enum class Fill {
  kUniform,          // every code is as likely
  kPairSaturate,     // two neighbouring products overflow 16 bits
  kTies,             // accumulators that fall halfway between two codes
  kZeroPointBorder,  // activations at the zero point and one beside it
  kOneHot,           // nearly all activations are real zero
  kAllMin,           // the smallest code everywhere
  kAllMax,           // the largest code everywhere
  kConstantChannel,  // one value a channel; the weights of channel 0 are zero
  kTinyScale,        // scales at torch's floor, 2^-23
  kEveryCode,        // all 256 codes of the input, in turn
  kEveryPair,        // all 65,536 pairs of two inputs' codes
  kEveryProduct,     // every activation times every weight
  kSpecialFloats,    // every other value is infinite, huge, denormal or -0.0; of an
                     // input of floats, and of the f32 bias of one of codes
  kNotANumber,       // every third value is NaN, of the same
  kCodes,            // literal codes, written down in the case
  kValues,           // literal values of a float input
};

std::string FillName(Fill fill);
std::optional<Fill> ParseFill(std::string_view name);

// Random numbers by index: SplitMix64 read as a counter-based generator, keyed by the
// FNV-1a hash of the case id and the tensor's name.
class FillStream {
 public:
  FillStream(std::string_view id, std::string_view tensor);
  uint64_t At(uint64_t index) const;
  // [0, 1) with 24 bits: exact in float32.
  double UniformAt(uint64_t index) const;

 private:
  uint64_t key_;
};

struct CodeRangeOf {
  int64_t min;
  int64_t max;
  int64_t zero_point;
};

// Codes of activations [N, C, spatial...] or [..., K] (channel_axis -1: the last).
std::vector<int32_t> ActivationCodes(Fill fill, const FillStream& stream,
                                     const Shape& shape, int channel_axis,
                                     CodeRangeOf range);

// Literal codes, repeated as often as it takes, inside the range.
std::vector<int32_t> RepeatedCodes(const std::vector<int64_t>& codes, const Shape& shape,
                                   CodeRangeOf range);

// Values of a float input of which `scales`, one a channel or one for all, and `range`
// are the codes to come.
std::vector<float> FloatValues(Fill fill, const FillStream& stream, const Shape& shape,
                               int channel_axis, const std::vector<float>& scales,
                               CodeRangeOf range);

// Codes of weights [O, I, kernel...].
std::vector<int32_t> WeightCodes(Fill fill, const FillStream& stream, const Shape& shape,
                                 CodeRangeOf range);

// One scale a channel; ties get powers of two.
float ActivationScale(Fill fill, const FillStream& stream);
std::vector<float> WeightScales(Fill fill, const FillStream& stream, int64_t channels);

// Biases in units of the accumulator, in [-magnitude, magnitude]; whole numbers for
// ties, and otherwise with a fraction, so that rounding the bias first shows.
std::vector<double> AccumulatorBias(Fill fill, const FillStream& stream, int64_t channels,
                                    double magnitude);

}  // namespace qconform

#endif  // QCONFORM_DATASETS_FILLS_H_
