#include "datasets/fills.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reference/ir/splitmix64.h"

namespace qconform {
namespace {

constexpr std::array<std::string_view, 16> kNames = {
    "uniform",        "pair_saturate", "ties",       "zero_point_border",
    "one_hot",        "all_min",       "all_max",    "constant_channel",
    "tiny_scale",     "every_code",    "every_pair", "every_product",
    "special_floats", "not_a_number",  "codes",      "values"};

// All that a quantization must saturate or flush, in the order of how often it hurts.
constexpr std::array<float, 14> kSpecialFloats = {
    std::numeric_limits<float>::infinity(),
    -std::numeric_limits<float>::infinity(),
    0x1p32f,
    -0x1p32f,
    1e30f,
    -1e30f,
    9.2e14f,
    -9.2e14f,
    std::numeric_limits<float>::denorm_min(),
    -std::numeric_limits<float>::denorm_min(),
    std::numeric_limits<float>::max(),
    std::numeric_limits<float>::lowest(),
    std::numeric_limits<float>::min(),
    -0.0f};

uint64_t Fnv1a(uint64_t hash, std::string_view text) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3u;
  }
  return hash;
}

int64_t Between(uint64_t random, int64_t min, int64_t max) {
  return min + static_cast<int64_t>(random % static_cast<uint64_t>(max - min + 1));
}

// A step of at most `reach` away from the zero point, inside the range.
int64_t Near(uint64_t random, int64_t reach, const CodeRangeOf& range) {
  return std::clamp(range.zero_point + Between(random, -reach, reach), range.min,
                    range.max);
}

// One index a channel of a dense tensor.
class Channels {
 public:
  Channels(const Shape& shape, int axis)
      : axis_(axis < 0 ? shape.size() - 1 : static_cast<size_t>(axis)),
        size_(shape.empty() ? 1 : shape[axis_]) {
    for (size_t d = axis_ + 1; d < shape.size(); ++d) inner_ *= shape[d];
  }
  uint64_t At(int64_t element) const {
    return static_cast<uint64_t>(element / inner_ % size_);
  }

 private:
  size_t axis_;
  int64_t size_;
  int64_t inner_ = 1;
};

int64_t PairSaturatingActivation(uint64_t random, const CodeRangeOf& range) {
  const uint64_t kind = random % 8;
  if (kind == 0) return Between(random >> 8, range.min, range.max);
  // Signed activations overflow on both sides once they are made unsigned or
  // absolute.
  if (kind == 1 && range.min < 0) return range.min;
  return range.max;
}

}  // namespace

std::string FillName(Fill fill) { return std::string(kNames[static_cast<size_t>(fill)]); }

std::optional<Fill> ParseFill(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Fill>(i);
  return std::nullopt;
}

FillStream::FillStream(std::string_view id, std::string_view tensor)
    : key_(Fnv1a(Fnv1a(Fnv1a(0xCBF29CE484222325u, id), "/"), tensor)) {}

uint64_t FillStream::At(uint64_t index) const {
  return SplitMix64(key_ + index * 0x9E3779B97F4A7C15u).Next();
}

double FillStream::UniformAt(uint64_t index) const {
  return static_cast<double>(At(index) >> 40) * 0x1p-24;
}

std::vector<int32_t> ActivationCodes(Fill fill, const FillStream& stream,
                                     const Shape& shape, int channel_axis,
                                     CodeRangeOf range) {
  const int64_t count = NumElements(shape);
  const Channels channels(shape, channel_axis);
  std::vector<int32_t> codes(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t random = stream.At(static_cast<uint64_t>(i));
    int64_t code = 0;
    switch (fill) {
      case Fill::kUniform:
      case Fill::kTinyScale:
        code = Between(random, range.min, range.max);
        break;
      case Fill::kPairSaturate:
        code = PairSaturatingActivation(random, range);
        break;
      case Fill::kTies:
        code = Near(random, 3, range);
        break;
      case Fill::kZeroPointBorder:
        code = Near(random, 1, range);
        break;
      case Fill::kOneHot:
        code = i == 0 || random % 11 == 0 ? range.max : range.zero_point;
        break;
      case Fill::kAllMin:
        code = range.min;
        break;
      case Fill::kAllMax:
        code = range.max;
        break;
      case Fill::kConstantChannel: {
        code = Between(stream.At(channels.At(i)), range.min, range.max);
        break;
      }
      case Fill::kEveryCode:
      case Fill::kEveryProduct:
        code = range.min + i % (range.max - range.min + 1);
        break;
      case Fill::kEveryPair: {
        const int64_t codes_each = range.max - range.min + 1;
        code = range.min + i / codes_each % codes_each;
        break;
      }
      case Fill::kSpecialFloats:
      case Fill::kNotANumber:
      case Fill::kCodes:
      case Fill::kValues:
        code = Between(random, range.min, range.max);
        break;
    }
    codes[static_cast<size_t>(i)] =
        static_cast<int32_t>(std::clamp(code, range.min, range.max));
  }
  return codes;
}

std::vector<int32_t> RepeatedCodes(const std::vector<int64_t>& codes, const Shape& shape,
                                   CodeRangeOf range) {
  std::vector<int32_t> repeated;
  for (int64_t i = 0; i < NumElements(shape); ++i) {
    const int64_t code = codes[static_cast<size_t>(i) % codes.size()];
    repeated.push_back(static_cast<int32_t>(std::clamp(code, range.min, range.max)));
  }
  return repeated;
}

std::vector<float> FloatValues(Fill fill, const FillStream& stream, const Shape& shape,
                               int channel_axis, const std::vector<float>& scales,
                               CodeRangeOf range) {
  const Channels channels(shape, channel_axis);
  // Real codes, not whole ones, of which one in ten saturates on either side.
  const auto low = static_cast<double>(range.min - range.zero_point);
  const auto width = static_cast<double>(range.max - range.min);
  const auto anywhere = [&](uint64_t index) {
    return low - width / 8 + 1.25 * width * stream.UniformAt(index);
  };
  std::vector<float> values(static_cast<size_t>(NumElements(shape)));
  for (size_t i = 0; i < values.size(); ++i) {
    const uint64_t channel = channels.At(static_cast<int64_t>(i));
    const double scale = scales[scales.size() == 1 ? 0 : channel];
    double code = anywhere(i);
    switch (fill) {
      case Fill::kTies:
        code = std::floor(code) + 0.5;
        break;
      case Fill::kZeroPointBorder:
        code = 3 * stream.UniformAt(i) - 1.5;
        break;
      case Fill::kOneHot:
        if (i != 0 && stream.At(i) % 11 != 0) code = 0;
        break;
      case Fill::kAllMin:
        code = low;
        break;
      case Fill::kAllMax:
        code = low + width;
        break;
      case Fill::kConstantChannel:
        code = anywhere(channel);
        break;
      default:
        break;
    }
    values[i] = static_cast<float>(code * scale);
    if (fill == Fill::kSpecialFloats && i % 2 == 1)
      values[i] = kSpecialFloats[i / 2 % kSpecialFloats.size()];
    if (fill == Fill::kNotANumber && i % 3 == 1)
      values[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

std::vector<int32_t> WeightCodes(Fill fill, const FillStream& stream, const Shape& shape,
                                 CodeRangeOf range) {
  const int64_t count = NumElements(shape);
  const int64_t inner = shape.empty() || shape[0] == 0 ? 1 : count / shape[0];
  std::vector<int32_t> codes(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t random = stream.At(static_cast<uint64_t>(i));
    const int64_t channel = i / inner;
    int64_t code = Between(random, range.min, range.max);
    switch (fill) {
      case Fill::kPairSaturate:
        if (random % 16 != 0) code = channel % 2 == 0 ? range.max : range.min;
        break;
      case Fill::kTies:
        code = Near(random, 2, range);
        break;
      case Fill::kAllMin:
        code = range.min;
        break;
      case Fill::kAllMax:
        code = range.max;
        break;
      case Fill::kConstantChannel:
        code = channel == 0 ? range.zero_point
                            : Between(stream.At(static_cast<uint64_t>(channel)),
                                      range.min, range.max);
        break;
      case Fill::kEveryCode:
      case Fill::kEveryProduct:
        code = range.min + i % (range.max - range.min + 1);
        break;
      default:
        break;
    }
    codes[static_cast<size_t>(i)] = static_cast<int32_t>(code);
  }
  return codes;
}

float ActivationScale(Fill fill, const FillStream& stream) {
  if (fill == Fill::kTies) return 0x1p-5f;
  if (fill == Fill::kTinyScale) return 0x1p-23f;
  return static_cast<float>(0.02 * (1 + stream.UniformAt(0)));
}

std::vector<float> WeightScales(Fill fill, const FillStream& stream, int64_t channels) {
  std::vector<float> scales;
  for (int64_t c = 0; c < channels; ++c) {
    const auto index = static_cast<uint64_t>(c);
    if (fill == Fill::kTies) {
      scales.push_back(stream.At(index) % 2 == 0 ? 0x1p-6f : 0x1p-7f);
    } else if (fill == Fill::kTinyScale) {
      scales.push_back(c % 2 == 0
                           ? 0x1p-23f
                           : static_cast<float>(0x1p-22 * (1 + stream.UniformAt(index))));
    } else {
      scales.push_back(static_cast<float>(0.004 * (1 + 3 * stream.UniformAt(index))));
    }
  }
  return scales;
}

std::vector<double> AccumulatorBias(Fill fill, const FillStream& stream, int64_t channels,
                                    double magnitude) {
  std::vector<double> bias;
  for (int64_t c = 0; c < channels; ++c) {
    const double value = (2 * stream.UniformAt(static_cast<uint64_t>(c)) - 1) * magnitude;
    bias.push_back(fill == Fill::kTies ? std::rint(value) : value);
  }
  return bias;
}

}  // namespace qconform
