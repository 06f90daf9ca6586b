#include "conformance/cases/build_call.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "reference/ir/error.h"

namespace qconform {
namespace {

constexpr const char* kBiasF32 = "f32/one/even/bias_f32/zp_after";
constexpr const char* kBiasS32 = "f32/one/even/bias_s32/zp_after";

CallTensor CodeTensor(qc_dtype dtype, Shape shape, std::vector<float> scale,
                      int32_t zero_point, int axis) {
  CallTensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.scale = std::move(scale);
  tensor.zero_point.assign(tensor.scale.size(), zero_point);
  tensor.axis = axis;
  return tensor;
}

CodeRangeOf RangeOf(const CallTensor& tensor, int32_t zero_point) {
  const CodeBounds bounds = BoundsOf(tensor);
  return {bounds.min, bounds.max, zero_point};
}

void SetCodes(CallTensor& tensor, const std::vector<int32_t>& codes) {
  tensor.data.resize(codes.size());
  for (size_t i = 0; i < codes.size(); ++i)
    tensor.data[i] = static_cast<std::byte>(codes[i] & 0xFF);
}

double MeanDistance(const std::vector<int32_t>& codes, int32_t zero_point) {
  double sum = 0;
  for (const int32_t code : codes) sum += std::abs(code - zero_point);
  return codes.empty() ? 0 : sum / static_cast<double>(codes.size());
}

// Biases as large as what they are added to: sums of equal terms grow as K, sums of
// random ones as its root.
double BiasMagnitude(Fill fill, double terms, double product) {
  const bool equal_terms = fill == Fill::kAllMin || fill == Fill::kAllMax ||
                           fill == Fill::kPairSaturate || fill == Fill::kConstantChannel;
  return std::max(4.0, product * (equal_terms ? 0.5 * terms : std::sqrt(terms)));
}

CallTensor BiasTensor(const SuiteRow& row, const std::vector<double>& units,
                      float activation_scale, const std::vector<float>& weight_scales) {
  CallTensor tensor;
  tensor.dtype = row.bias == "s32" ? QC_S32 : QC_F32;
  tensor.shape = {row.o};
  tensor.constant = true;
  tensor.data.resize(units.size() * 4);
  for (size_t o = 0; o < units.size(); ++o) {
    const float product =
        activation_scale * weight_scales[weight_scales.size() == 1 ? 0 : o];
    if (tensor.dtype == QC_S32) {
      const auto value = static_cast<int32_t>(std::rint(units[o]));
      std::memcpy(&tensor.data[o * 4], &value, 4);
    } else {
      const auto value = static_cast<float>(units[o] * double{product});
      std::memcpy(&tensor.data[o * 4], &value, 4);
    }
  }
  return tensor;
}

void Copy(const Numbers& numbers, int64_t (&target)[3]) {
  std::copy(numbers.begin(), numbers.end(), target);
}

qc_attributes AttributesOf(const SuiteRow& row) {
  qc_attributes attributes = EmptyAttributes();
  attributes.activation = row.relu ? QC_ACTIVATION_RELU : QC_ACTIVATION_NONE;
  if (row.is_linear()) return attributes;
  attributes.spatial_rank = static_cast<int32_t>(row.size.size());
  Copy(row.kernel, attributes.kernel);
  Copy(row.stride, attributes.stride);
  Copy(row.dilation, attributes.dilation);
  Copy(row.padding_before, attributes.padding_before);
  Copy(row.padding_after, attributes.padding_after);
  attributes.groups = row.groups;
  return attributes;
}

// The real outputs, by the definition with a float32 output.
std::vector<float> RealOutputs(OperatorCall call) {
  CallTensor& output = call.outputs[0];
  output.dtype = QC_F32;
  output.scale.clear();
  output.zero_point.clear();
  auto outputs = ReferenceOutputs(call, call.scheme);
  assert(outputs);
  std::vector<float> real((*outputs)[0].size() / sizeof(float));
  if (!real.empty()) std::memcpy(real.data(), (*outputs)[0].data(), (*outputs)[0].size());
  return real;
}

// The smallest scale for which no real value leaves the codes.
double TightScale(const std::vector<float>& real, const CodeBounds& bounds,
                  int32_t zero_point) {
  double scale = 0;
  for (const float value : real) {
    const double codes = value >= 0 ? static_cast<double>(bounds.max) - zero_point
                                    : zero_point - static_cast<double>(bounds.min);
    if (codes > 0) scale = std::max(scale, std::abs(double{value}) / codes);
  }
  return scale;
}

double SaturatedShare(const std::vector<float>& real, const CodeBounds& bounds,
                      int32_t zero_point, double scale) {
  int64_t saturated = 0;
  for (const float value : real) {
    const double code = std::rint(double{value} / scale) + zero_point;
    saturated +=
        code >= static_cast<double>(bounds.max) || code < static_cast<double>(bounds.min);
  }
  return real.empty() ? 0
                      : static_cast<double>(saturated) / static_cast<double>(real.size());
}

float OutputScale(const SuiteRow& row, const OperatorCall& call, float activation_scale,
                  const std::vector<float>& weight_scales) {
  const std::vector<float> real = RealOutputs(call);
  const CodeBounds bounds = BoundsOf(call.outputs[0]);
  const double tight = TightScale(real, bounds, row.zy);
  if (row.fill == Fill::kTies) {
    // Twice the finest unit: every odd accumulator is a tie; doubled until it fits.
    double scale = 2 * double{activation_scale} *
                   double{*std::min_element(weight_scales.begin(), weight_scales.end())};
    while (scale < tight) scale *= 2;
    return static_cast<float>(scale);
  }
  if (tight == 0) return 1.0f;
  const double eager = tight * 0.8;
  const bool too_eager = SaturatedShare(real, bounds, row.zy, eager) > 0.25;
  return static_cast<float>(too_eager ? tight * 1.05 : eager);
}

}  // namespace

OperatorCall BuildCall(const SuiteRow& row) {
  const std::string id = IdOf(row);
  OperatorCall call;
  call.kind = row.is_linear() ? QC_LINEAR : QC_CONV;
  call.attributes = AttributesOf(row);
  call.scheme = row.bias == "s32" || row.bias == "f32_rounded" ? kBiasS32 : kBiasF32;

  Shape x_shape = row.n;
  Shape w_shape = {row.o, row.is_linear() ? row.c : row.c / row.groups};
  Shape y_shape = row.n;
  if (row.is_linear()) {
    x_shape.push_back(row.c);
    y_shape.push_back(row.o);
  } else {
    const Numbers output = OutputSize(row);
    x_shape.push_back(row.c);
    x_shape.insert(x_shape.end(), row.size.begin(), row.size.end());
    w_shape.insert(w_shape.end(), row.kernel.begin(), row.kernel.end());
    y_shape.push_back(row.o);
    y_shape.insert(y_shape.end(), output.begin(), output.end());
  }

  const FillStream scales(id, "scales");
  const float activation_scale = ActivationScale(row.fill, scales);
  const std::vector<float> weight_scales =
      WeightScales(row.fill, FillStream(id, "w.scale"), row.per_channel ? row.o : 1);
  CallTensor x = CodeTensor(row.x, x_shape, {activation_scale}, row.zx, -1);
  CallTensor w =
      CodeTensor(row.w, w_shape, weight_scales, row.zw, row.per_channel ? 0 : -1);
  w.constant = true;
  const auto x_codes = ActivationCodes(row.fill, FillStream(id, "x"), x_shape,
                                       row.is_linear() ? -1 : 1, RangeOf(x, row.zx));
  const auto w_codes =
      WeightCodes(row.fill, FillStream(id, "w"), w_shape, RangeOf(w, row.zw));
  SetCodes(x, x_codes);
  SetCodes(w, w_codes);

  std::optional<CallTensor> bias;
  if (row.bias != "none") {
    const double terms =
        row.o == 0 ? 0 : static_cast<double>(w_codes.size()) / static_cast<double>(row.o);
    const double product = MeanDistance(x_codes, row.zx) * MeanDistance(w_codes, row.zw);
    bias = BiasTensor(row,
                      AccumulatorBias(row.fill, FillStream(id, "bias"), row.o,
                                      BiasMagnitude(row.fill, terms, product)),
                      activation_scale, weight_scales);
  }
  call.inputs = {std::move(x), std::move(w), std::move(bias)};
  CallTensor y = CodeTensor(row.y, y_shape, {}, 0, -1);
  call.outputs.push_back(std::move(y));
  if (row.y != QC_F32) {
    call.outputs[0].scale = {OutputScale(row, call, activation_scale, weight_scales)};
    call.outputs[0].zero_point = {row.zy};
  }
  return call;
}

ConformanceCase BuildCase(const SuiteRow& row) {
  ConformanceCase result;
  result.id = IdOf(row);
  result.suite = row.suite;
  result.group = GroupOf(row);
  result.fill = FillName(row.fill);
  result.call = BuildCall(row);
  auto want = ReferenceOutputs(result.call, result.call.scheme);
  assert(want);
  result.want = std::move(*want);
  return result;
}

}  // namespace qconform
