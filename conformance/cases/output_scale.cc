#include "conformance/cases/output_scale.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "conformance/cases/input_data.h"
#include "conformance/compare/reference_outputs.h"

namespace qconform {
namespace {

// The real outputs, by the definition with a float32 output.
std::vector<float> RealOutputs(OperatorCall call) {
  CallTensor& output = call.outputs[0];
  output.dtype = QC_F32;
  output.scale.clear();
  output.zero_point.clear();
  if (call.kind == QC_REQUANTIZE) call.kind = QC_DEQUANTIZE;
  auto outputs = ReferenceOutputs(call, call.scheme);
  if (!outputs) outputs = ReferenceOutputs(call, "");
  if (!outputs) return {};  // BuildCase says so
  std::vector<float> real((*outputs)[0].size() / sizeof(float));
  if (!real.empty()) std::memcpy(real.data(), (*outputs)[0].data(), (*outputs)[0].size());
  return real;
}

// The smallest scale for which no real value leaves the codes.
double TightScale(const std::vector<float>& real, const CodeBounds& bounds,
                  int64_t zero_point) {
  double scale = 0;
  for (const float value : real) {
    const auto codes = static_cast<double>(value >= 0 ? bounds.max - zero_point
                                                      : zero_point - bounds.min);
    if (codes > 0) scale = std::max(scale, std::abs(double{value}) / codes);
  }
  return scale;
}

double SaturatedShare(const std::vector<float>& real, const CodeBounds& bounds,
                      int64_t zero_point, double scale) {
  int64_t saturated = 0;
  for (const float value : real) {
    const double code =
        std::rint(double{value} / scale) + static_cast<double>(zero_point);
    saturated +=
        code >= static_cast<double>(bounds.max) || code < static_cast<double>(bounds.min);
  }
  return real.empty() ? 0
                      : static_cast<double>(saturated) / static_cast<double>(real.size());
}

// Half of the scale that makes a tie of every odd multiple: that of an accumulator, or
// the smallest value that came out.
double FinestUnit(const OperatorCall& call, const std::vector<float>& real) {
  if (call.inputs.size() > 1 && call.inputs[1] && call.inputs[1]->constant &&
      !call.inputs[1]->scale.empty()) {
    const auto& weights = call.inputs[1]->scale;
    return double{call.inputs[0]->scale.empty() ? 1.0f : call.inputs[0]->scale[0]} *
           double{*std::min_element(weights.begin(), weights.end())};
  }
  double finest = 0;
  for (const float value : real) {
    const double size = std::abs(double{value});
    if (size > 0 && (finest == 0 || size < finest)) finest = size;
  }
  return finest == 0 ? 1 : finest;
}

float ChosenScale(const SuiteRow& row, const OperatorCall& call) {
  const std::vector<float> real = RealOutputs(call);
  const CodeBounds bounds = BoundsOf(call.outputs[0]);
  const double tight = TightScale(real, bounds, row.zy);
  if (row.fill == Fill::kTies) {
    // Twice the finest unit: every odd accumulator is a tie; doubled until it fits.
    double scale = 2 * FinestUnit(call, real);
    while (scale < tight) scale *= 2;
    return static_cast<float>(scale);
  }
  if (tight == 0) return 1.0f;
  const double eager = tight * 0.8;
  const bool too_eager = SaturatedShare(real, bounds, row.zy, eager) > 0.25;
  return static_cast<float>(too_eager ? tight * 1.05 : eager);
}

// Codes that move or are compared may stay codes.
bool KeepsCodes(const OperatorCall& call) {
  switch (call.kind) {
    case QC_RELU:
    case QC_RELU6:
    case QC_CLAMP:
    case QC_MAX_POOL:
    case QC_CONCAT:
    case QC_RESHAPE:
    case QC_TRANSPOSE:
    case QC_SLICE:
    case QC_PAD:
    case QC_PIXEL_SHUFFLE:
    case QC_PIXEL_UNSHUFFLE:
      return true;
    case QC_UPSAMPLE:
      return call.attributes.interpolation == QC_INTERPOLATION_NEAREST;
    default:
      return false;
  }
}

bool SameZeroPoint(const CallTensor& x, const SuiteRow& row, const CallTensor& y) {
  return x.dtype == y.dtype && x.zero_point[0] == row.zy;
}

}  // namespace

void SetOutputQparams(const SuiteRow& row, OperatorCall& call) {
  CallTensor& y = call.outputs[0];
  if (y.dtype != QC_U8 && y.dtype != QC_S8) return;
  if (call.kind == QC_DYNAMIC_QUANTIZE) return;
  const CallTensor& x = *call.inputs[0];
  if (call.kind == QC_QUANTIZE) return SetQuantizeQparams(row, y);
  y.zero_point = {static_cast<int32_t>(row.zy)};
  if (!row.sy.empty()) {
    y.scale = {row.sy[0]};
    return;
  }
  const bool all_same =
      std::all_of(call.inputs.begin(), call.inputs.end(), [&](const auto& input) {
        return !input || input->scale.size() != 1 || SameZeroPoint(*input, row, y);
      });
  if (KeepsCodes(call) && all_same && x.scale.size() == 1) {
    y.scale = x.scale;
    return;
  }
  // A scale of its own until it is chosen, so that nothing takes it for a copy.
  y.scale = {1.0f};
  y.scale = {ChosenScale(row, call)};
}

}  // namespace qconform
