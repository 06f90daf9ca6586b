#include "conformance/cases/input_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace qconform {
namespace {

// Larger tensors repeat their first codes; the count is a prime, so that an index that
// wrapped at 32 bits reads other ones.
constexpr int64_t kLargestDrawn = int64_t{1} << 26;
constexpr int64_t kRepeated = 1048583;

// Accumulators that a 32-bit input is drawn from.
constexpr int64_t kAccumulators = 30000;

CodeRangeOf RangeOf(const CallTensor& tensor, int64_t zero_point) {
  if (tensor.dtype == QC_S32) return {-kAccumulators, kAccumulators, zero_point};
  const CodeBounds bounds = BoundsOf(tensor);
  return {bounds.min, bounds.max, zero_point};
}

template <typename T, typename Value>
void Store(CallTensor& tensor, const std::vector<Value>& values) {
  tensor.data.resize(values.size() * sizeof(T));
  for (size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<T>(values[i]);
    std::memcpy(&tensor.data[i * sizeof(T)], &value, sizeof(T));
  }
}

void SetCodes(CallTensor& tensor, const std::vector<int32_t>& codes) {
  if (tensor.dtype == QC_S32) return Store<int32_t>(tensor, codes);
  tensor.data.resize(codes.size());
  for (size_t i = 0; i < codes.size(); ++i)
    tensor.data[i] = static_cast<std::byte>(codes[i] & 0xFF);
}

void Repeat(CallTensor& tensor) {
  const size_t drawn = tensor.data.size();
  tensor.data.resize(tensor.byte_size());
  for (size_t at = drawn; at < tensor.data.size(); at += drawn) {
    std::memcpy(&tensor.data[at], tensor.data.data(),
                std::min(drawn, tensor.data.size() - at));
  }
}

double MeanDistance(const std::vector<int32_t>& codes, int64_t zero_point) {
  double sum = 0;
  for (const int32_t code : codes)
    sum += std::abs(static_cast<double>(code - zero_point));
  return codes.empty() ? 0 : sum / static_cast<double>(codes.size());
}

// Biases as large as what they are added to: sums of equal terms grow as K, sums of
// random ones as its root.
double BiasMagnitude(Fill fill, double terms, double product) {
  const bool equal_terms = fill == Fill::kAllMin || fill == Fill::kAllMax ||
                           fill == Fill::kPairSaturate || fill == Fill::kConstantChannel;
  return std::max(4.0, product * (equal_terms ? 0.5 * terms : std::sqrt(terms)));
}

// As many scales as the tensor has channels along its axis, or one.
std::vector<float> Scales(const Reals& given, const CallTensor& tensor, Fill fill,
                          const FillStream& stream) {
  const int64_t count =
      tensor.axis < 0 ? 1 : tensor.shape[static_cast<size_t>(tensor.axis)];
  if (given.empty()) return WeightScales(fill, stream, count);
  std::vector<float> scales;
  for (int64_t c = 0; c < count; ++c)
    scales.push_back(given[static_cast<size_t>(c) % given.size()]);
  return scales;
}

// Per channel every channel but the first has a zero point of its own.
void SetZeroPoints(CallTensor& tensor, int64_t zero_point, const FillStream& stream) {
  tensor.zero_point.assign(tensor.scale.size(), static_cast<int32_t>(zero_point));
  const CodeBounds bounds = BoundsOf(tensor);
  for (size_t c = 1; c < tensor.zero_point.size(); ++c)
    tensor.zero_point[c] = static_cast<int32_t>(
        bounds.min + static_cast<int64_t>(
                         stream.At(c) % static_cast<uint64_t>(bounds.max - bounds.min)));
}

class Filler {
 public:
  Filler(const SuiteRow& row, const CallDraft& draft)
      : row_(row), draft_(draft), key_(DataKeyOf(row)) {}

  std::vector<std::optional<CallTensor>> Fill() {
    std::vector<std::optional<CallTensor>> inputs;
    for (size_t i = 0; i < draft_.inputs.size(); ++i) {
      inputs.emplace_back();
      if (draft_.inputs[i]) inputs.back() = WithData(*draft_.inputs[i], i);
    }
    return inputs;
  }

 private:
  FillStream Stream(const std::string& name) const { return FillStream(key_, name); }

  CallTensor WithData(const DraftInput& input, size_t index) {
    CallTensor tensor = input.tensor;
    switch (input.role) {
      case InputRole::kActivation:
        Activation(input, index, tensor);
        break;
      case InputRole::kWeight:
        Weight(input, index, tensor);
        break;
      case InputRole::kBias:
        Bias(index, tensor);
        break;
      case InputRole::kIndex:
        StoreIntegers(tensor, IndicesBelow(input.limit, tensor.shape));
        break;
      case InputRole::kOffset:
        StoreIntegers(tensor, row_.offsets);
        break;
      default:
        Parameter(input, tensor);
    }
    return tensor;
  }

  static void StoreIntegers(CallTensor& tensor, const Numbers& values) {
    if (tensor.dtype == QC_S64) return Store<int64_t>(tensor, values);
    Store<int32_t>(tensor, values);
  }

  // Literal ones first, so that an index out of reach can be written down.
  Numbers IndicesBelow(int64_t limit, const Shape& shape) const {
    const FillStream stream = Stream("x");
    const Numbers* literal = Literal(0);
    Numbers indices;
    for (int64_t i = 0; i < NumElements(shape); ++i) {
      const auto at = static_cast<size_t>(i);
      const uint64_t random =
          stream.At(at) % static_cast<uint64_t>(std::max<int64_t>(limit, 1));
      indices.push_back(literal != nullptr ? (*literal)[at % literal->size()]
                                           : static_cast<int64_t>(random));
    }
    return indices;
  }

  const Numbers* Literal(size_t index) const {
    return index < row_.codes.size() ? &row_.codes[index] : nullptr;
  }

  void Activation(const DraftInput& input, size_t index, CallTensor& tensor) {
    if (tensor.dtype == QC_F32) return FloatActivation(input, tensor);
    const bool first = index == 0;
    // Inputs behind the first have scales of their own; those of a concat share one
    // unless a zero point sets them apart.
    if (!input.scale.empty() || tensor.axis >= 0) {
      tensor.scale =
          Scales(input.scale, tensor, row_.fill, Stream(input.name + ".scale"));
    } else if (first || SharesScale()) {
      tensor.scale = {ActivationScale(row_.fill, Stream("scales"))};
    } else if (row_.fill == Fill::kTies || row_.fill == Fill::kTinyScale) {
      tensor.scale = {ActivationScale(row_.fill, Stream("scales")) / 2};
    } else {
      tensor.scale = {ActivationScale(row_.fill, Stream(input.name + ".scale"))};
    }
    if (tensor.axis >= 0) {
      SetZeroPoints(tensor, input.zero_point, Stream(input.name + ".zero_point"));
    } else {
      tensor.zero_point = {static_cast<int32_t>(input.zero_point)};
    }
    const CodeRangeOf range = RangeOf(tensor, input.zero_point);
    const bool large = NumElements(tensor.shape) > kLargestDrawn;
    const Shape shape = large ? Shape{kRepeated} : tensor.shape;
    const int channel_axis = large ? -1 : input.channel_axis;
    // Of a pair of codes the second runs faster.
    const auto fill =
        row_.fill == Fill::kEveryPair && !first ? Fill::kEveryCode : row_.fill;
    const std::vector<int32_t> codes =
        Literal(index) != nullptr
            ? RepeatedCodes(*Literal(index), shape, range)
            : ActivationCodes(fill, Stream(input.name), shape, channel_axis, range);
    SetCodes(tensor, codes);
    if (large) Repeat(tensor);
    if (first) {
      x_distance_ = MeanDistance(codes, input.zero_point);
      x_scale_ = tensor.scale[0];
    }
  }

  bool SharesScale() const {
    return !row_.zs.empty() &&
           std::all_of(row_.zs.begin(), row_.zs.end(),
                       [this](int64_t zero_point) { return zero_point == row_.zy; });
  }

  void FloatActivation(const DraftInput& input, CallTensor& tensor) {
    CallTensor codes = draft_.outputs[0];
    // What a quantization at run time reads lies on both sides of zero.
    const bool at_run_time = draft_.outputs.size() > 1 || codes.dtype == QC_F32;
    if (at_run_time) codes.dtype = QC_U8;
    codes.shape = tensor.shape;
    SetQuantizeQparams(row_, codes);
    std::vector<float> values;
    if (row_.fill == Fill::kValues) {
      for (int64_t i = 0; i < NumElements(tensor.shape); ++i)
        values.push_back(row_.values[static_cast<size_t>(i) % row_.values.size()]);
    } else {
      const int axis = codes.axis >= 0 ? codes.axis : input.channel_axis;
      values = FloatValues(row_.fill, Stream(input.name), tensor.shape, axis, codes.scale,
                           RangeOf(codes, at_run_time ? 100 : row_.zy));
    }
    Store<float>(tensor, values);
    x_scale_ = codes.scale[0];
    x_distance_ = 64;
  }

  void Weight(const DraftInput& input, size_t index, CallTensor& tensor) {
    tensor.scale = Scales(input.scale, tensor, row_.fill, Stream(input.name + ".scale"));
    const Numbers& zero_points = input.channel_zero_points;
    const Reals& real = input.float_zero_points;
    for (size_t c = 0; c < tensor.scale.size(); ++c) {
      if (!real.empty())
        tensor.zero_point_f32.push_back(real[c % real.size()]);
      else
        tensor.zero_point.push_back(
            static_cast<int32_t>(zero_points[c % zero_points.size()]));
    }
    const CodeRangeOf range = RangeOf(tensor, input.zero_point);
    w_codes_ = Literal(index) != nullptr
                   ? RepeatedCodes(*Literal(index), tensor.shape, range)
                   : WeightCodes(row_.fill, Stream(input.name), tensor.shape, range);
    SetCodes(tensor, w_codes_);
    w_scales_ = tensor.scale;
  }

  void Bias(size_t index, CallTensor& tensor) {
    const auto outputs = static_cast<double>(row_.o);
    const double terms = row_.o == 0 ? 0 : static_cast<double>(w_codes_.size()) / outputs;
    const double product = x_distance_ * MeanDistance(w_codes_, row_.zw[0]);
    std::vector<double> units = AccumulatorBias(row_.fill, Stream("bias"), row_.o,
                                                BiasMagnitude(row_.fill, terms, product));
    if (const Numbers* literal = Literal(index)) {
      for (size_t o = 0; o < units.size(); ++o)
        units[o] = static_cast<double>((*literal)[o % literal->size()]);
    }
    if (tensor.dtype == QC_S32) {
      for (double& unit : units) unit = std::rint(unit);
      return Store<int32_t>(tensor, units);
    }
    std::vector<float> product_scales;
    for (size_t o = 0; o < units.size(); ++o)
      product_scales.push_back(x_scale_ * w_scales_[o % w_scales_.size()]);
    if (row_.x != QC_F32 &&
        (row_.fill == Fill::kSpecialFloats || row_.fill == Fill::kNotANumber))
      return Store<float>(tensor, FloatValues(row_.fill, Stream("bias"), {row_.o}, -1,
                                              product_scales, {-1000, 1000, 0}));
    for (size_t o = 0; o < units.size(); ++o) units[o] *= double{product_scales[o]};
    Store<float>(tensor, units);
  }

  // Gamma, beta and their kin: near what a trained model has.
  void Parameter(const DraftInput& input, CallTensor& tensor) const {
    const FillStream stream = Stream(input.name);
    std::vector<double> values;
    for (int64_t i = 0; i < NumElements(tensor.shape); ++i) {
      const auto index = static_cast<uint64_t>(i);
      const double unit = stream.UniformAt(index);
      switch (input.role) {
        case InputRole::kGamma:
          values.push_back((stream.At(index) % 4 == 0 ? -1 : 1) * (0.5 + unit));
          break;
        case InputRole::kVariance:
          values.push_back(0.25 + 2 * unit);
          break;
        default:
          values.push_back(2 * unit - 1);
      }
    }
    Store<float>(tensor, values);
  }

  const SuiteRow& row_;
  const CallDraft& draft_;
  std::string key_;
  double x_distance_ = 0;
  float x_scale_ = 1;
  std::vector<int32_t> w_codes_;
  std::vector<float> w_scales_;
};

}  // namespace

void SetQuantizeQparams(const SuiteRow& row, CallTensor& codes) {
  const std::string key = DataKeyOf(row);
  if (codes.axis < 0 && row.sy.empty()) {
    codes.scale = {ActivationScale(row.fill, FillStream(key, "scales"))};
  } else {
    codes.scale = Scales(row.sy, codes, row.fill, FillStream(key, "y.scale"));
  }
  SetZeroPoints(codes, row.zy, FillStream(key, "y.zero_point"));
}

std::vector<std::optional<CallTensor>> InputsWithData(const SuiteRow& row,
                                                      const CallDraft& draft) {
  return Filler(row, draft).Fill();
}

}  // namespace qconform
