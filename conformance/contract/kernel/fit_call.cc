#include "conformance/contract/kernel/fit_call.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/cases/declared_row.h"
#include "conformance/host/code_element.h"

namespace qconform {
namespace {

void SetCode(CallTensor& tensor, int64_t i, int64_t code) {
  const CodeBounds bounds = BoundsOf(tensor);
  SetCodeAt(tensor, i, std::clamp(code, bounds.min, bounds.max));
}

// Which of the qparams holds for element i of dense data.
size_t ChannelOf(const CallTensor& tensor, size_t i) {
  if (tensor.axis < 0) return 0;
  size_t inner = 1;
  for (size_t d = static_cast<size_t>(tensor.axis) + 1; d < tensor.shape.size(); ++d) {
    inner *= static_cast<size_t>(tensor.shape[d]);
  }
  return i / inner % tensor.scale.size();
}

// The same real numbers in codes of the other signedness.
void FlipSign(CallTensor& tensor) {
  const bool to_signed = tensor.dtype == QC_U8;
  const int shift = to_signed ? -128 : 128;
  tensor.dtype = to_signed ? QC_S8 : QC_U8;
  for (int32_t& zero_point : tensor.zero_point) zero_point += shift;
  for (std::byte& code : tensor.data) code ^= std::byte{0x80};
  if (tensor.quant_min != tensor.quant_max) {
    tensor.quant_min += shift;
    tensor.quant_max += shift;
  }
}

void Dequantize(CallTensor& tensor) {
  std::vector<float> values(tensor.data.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = ChannelOf(tensor, i);
    const int64_t zero = tensor.zero_point.empty() ? 0 : tensor.zero_point[channel];
    values[i] = static_cast<float>(CodeAt(tensor, static_cast<int64_t>(i)) - zero) *
                tensor.scale[channel];
  }
  CallTensor real;
  real.dtype = QC_F32;
  real.shape = tensor.shape;
  real.constant = tensor.constant;
  real.data.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(real.data.data(), values.data(), real.data.size());
  tensor = std::move(real);
}

// Between a bias in real numbers and one in units of the accumulator.
bool SetBiasDType(OperatorCall& call, CallTensor& bias, qc_dtype dtype) {
  if (bias.dtype == dtype) return true;
  const CallTensor& x = *call.inputs[0];
  const CallTensor& w = *call.inputs[1];
  const bool numbers = (bias.dtype == QC_F32 && dtype == QC_S32) ||
                       (bias.dtype == QC_S32 && dtype == QC_F32);
  if (!numbers) return false;
  if (x.scale.size() != 1 || w.scale.empty()) {
    // The unit is known at run time only; zero is zero in any.
    std::fill(bias.data.begin(), bias.data.end(), std::byte{0});
    bias.dtype = dtype;
    return true;
  }
  for (size_t i = 0; i < bias.data.size() / 4; ++i) {
    const float unit = x.scale[0] * w.scale[w.axis < 0 ? 0 : i % w.scale.size()];
    if (dtype == QC_S32) {
      float value = 0;
      std::memcpy(&value, bias.data.data() + 4 * i, 4);
      const auto code = static_cast<int32_t>(std::lrint(value / unit));
      std::memcpy(bias.data.data() + 4 * i, &code, 4);
    } else {
      int32_t code = 0;
      std::memcpy(&code, bias.data.data() + 4 * i, 4);
      const float value = static_cast<float>(code) * unit;
      std::memcpy(bias.data.data() + 4 * i, &value, 4);
    }
  }
  bias.dtype = dtype;
  return true;
}

void SetGranularity(const DTypeWithConstraints& bounds, CallTensor& tensor) {
  if (bounds.granularity == Granularity::kPerTensor && tensor.axis >= 0) {
    const float widest = *std::max_element(tensor.scale.begin(), tensor.scale.end());
    tensor.scale = {widest};
    tensor.zero_point = {tensor.zero_point.empty() ? 0 : tensor.zero_point[0]};
    tensor.axis = -1;
  }
  const auto axis = static_cast<int>(bounds.channel_axis.value_or(0));
  const auto rank = static_cast<int>(tensor.shape.size());
  if (bounds.granularity != Granularity::kPerChannel || tensor.axis == axis ||
      axis >= rank || tensor.scale.empty()) {
    return;
  }
  const auto channels = static_cast<size_t>(tensor.shape[static_cast<size_t>(axis)]);
  const int32_t zero_point = tensor.zero_point.empty() ? 0 : tensor.zero_point[0];
  const float scale = tensor.scale[0];
  tensor.scale.resize(channels);
  // Channels that differ show a scale of the wrong one.
  for (size_t c = 0; c < channels; ++c) {
    tensor.scale[c] = c % 2 == 0 ? scale : scale / 2;
  }
  tensor.zero_point.assign(channels, zero_point);
  tensor.axis = axis;
}

void SetBounds(const DTypeWithConstraints& bounds, CallTensor& tensor) {
  if (!IsQuantizedCode(tensor)) return;
  const CodeBounds all = AllCodes(tensor.dtype);
  const CodeBounds range = {bounds.quant_min_lower_bound.value_or(all.min),
                            bounds.quant_max_upper_bound.value_or(all.max)};
  if (bounds.quant_min_lower_bound || bounds.quant_max_upper_bound) {
    tensor.quant_min = static_cast<int32_t>(range.min);
    tensor.quant_max = static_cast<int32_t>(range.max);
  }
  SetGranularity(bounds, tensor);
  const bool symmetric = bounds.qscheme == QSchemeConstraint::kSymmetric;
  SetQparams(
      tensor,
      [&](float scale) {
        if (bounds.scale_exact_match)
          return static_cast<float>(*bounds.scale_exact_match);
        if (bounds.scale_min_lower_bound) {
          scale = std::max(scale, static_cast<float>(*bounds.scale_min_lower_bound));
        }
        if (bounds.scale_max_upper_bound) {
          scale = std::min(scale, static_cast<float>(*bounds.scale_max_upper_bound));
        }
        return scale;
      },
      [&](int64_t zero_point) {
        if (bounds.zero_point_exact_match) return *bounds.zero_point_exact_match;
        if (symmetric) return tensor.dtype == QC_U8 ? int64_t{128} : int64_t{0};
        return std::clamp(zero_point, range.min, range.max);
      });
}

// What every call of this side is in.
std::string Objection(CallSide side, const CallTensor& tensor) {
  return std::string("its ") + CallSideName(side) + " is " + AbiDTypeName(tensor.dtype) +
         " in every call";
}

std::string FitSide(CallSide side, const DTypeWithConstraints& bounds, bool dynamic,
                    OperatorCall& call) {
  if (!bounds.dtype) return "";
  const auto dtype = AbiDTypeOf(*bounds.dtype);
  for (CallTensor* tensor : TensorsOf(call, side)) {
    if (dynamic && side == CallSide::kInput && tensor->dtype == QC_F32) continue;
    if (!dtype) {
      return "no call holds " + std::string(DTypeName(*bounds.dtype));
    }
    if (!SetDType(*tensor, *dtype)) return Objection(side, *tensor);
    SetBounds(bounds, *tensor);
  }
  return "";
}

std::string FitDynamic(bool dynamic, OperatorCall& call) {
  if (dynamic == (call.attributes.dynamic != 0)) return "";
  const bool can = call.kind == QC_LINEAR || call.kind == QC_LSTM || call.kind == QC_GRU;
  if (dynamic && !can) return "no such call is quantized at run time";
  call.attributes.dynamic = dynamic ? 1 : 0;
  if (!dynamic) return "";
  for (const CallSide side : {CallSide::kInput, CallSide::kOutput}) {
    for (CallTensor* tensor : TensorsOf(call, side)) SetDType(*tensor, QC_F32);
  }
  return "";
}

}  // namespace

const char* CallSideName(CallSide side) {
  static constexpr const char* kNames[] = {"input", "weight", "bias", "output"};
  return kNames[static_cast<size_t>(side)];
}

std::vector<CallTensor*> TensorsOf(OperatorCall& call, CallSide side) {
  std::vector<CallTensor*> tensors;
  if (side == CallSide::kOutput) {
    if (!call.outputs.empty()) tensors.push_back(&call.outputs[0]);
    return tensors;
  }
  if (side == CallSide::kBias) {
    const bool weighted = call.inputs.size() > 2 &&
                          RoleOf(call, 1) == OperandRole::kWeight &&
                          (call.kind == QC_CONV || call.kind == QC_CONV_TRANSPOSE ||
                           call.kind == QC_LINEAR);
    if (weighted && call.inputs[2]) tensors.push_back(&*call.inputs[2]);
    return tensors;
  }
  const OperandRole role =
      side == CallSide::kWeight ? OperandRole::kWeight : OperandRole::kInput;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.inputs[i] && RoleOf(call, i) == role) tensors.push_back(&*call.inputs[i]);
  }
  return tensors;
}

bool SetDType(CallTensor& tensor, qc_dtype dtype) {
  if (tensor.dtype == dtype) return true;
  if (!IsCode(tensor.dtype)) return false;
  if (IsCode(dtype)) {
    FlipSign(tensor);
    return true;
  }
  if (dtype == QC_F32) {
    Dequantize(tensor);
    return true;
  }
  // An output in units of the accumulator.
  if (dtype != QC_S32 || !tensor.data.empty()) return false;
  const Shape shape = tensor.shape;
  tensor = {};
  tensor.dtype = QC_S32;
  tensor.shape = shape;
  return true;
}

void SetQparams(CallTensor& tensor, const std::function<float(float)>& scale,
                const std::function<int64_t(int64_t)>& zero_point) {
  if (tensor.zero_point_f32.empty() && tensor.zero_point.empty()) {
    tensor.zero_point.assign(tensor.scale.size(), 0);
  }
  const std::vector<int32_t> before = tensor.zero_point;
  for (float& each : tensor.scale) each = scale(each);
  for (int32_t& each : tensor.zero_point) each = static_cast<int32_t>(zero_point(each));
  for (size_t i = 0; i < tensor.data.size() && !before.empty(); ++i) {
    const size_t channel = ChannelOf(tensor, i);
    SetCode(tensor, static_cast<int64_t>(i),
            CodeAt(tensor, static_cast<int64_t>(i)) + tensor.zero_point[channel] -
                before[channel]);
  }
}

bool SharesQparams(const OperatorCall& call) {
  if (call.scheme != "copy" || call.inputs.empty() || !call.inputs[0] ||
      call.outputs.empty())
    return false;
  const CallTensor& x = *call.inputs[0];
  const CallTensor& y = call.outputs[0];
  return IsCode(x.dtype) && x.dtype == y.dtype && x.scale == y.scale &&
         x.zero_point == y.zero_point;
}

void ShareQparams(OperatorCall& call, CallSide from) {
  const std::vector<CallTensor*> source = TensorsOf(call, from);
  if (source.empty()) return;
  const CallTensor like = *source[0];
  for (const CallSide side : {CallSide::kInput, CallSide::kOutput}) {
    for (CallTensor* tensor : TensorsOf(call, side)) {
      if (tensor->dtype != like.dtype) continue;
      tensor->quant_min = like.quant_min;
      tensor->quant_max = like.quant_max;
      SetQparams(
          *tensor, [&](float) { return like.scale[0]; },
          [&](int64_t) { return like.zero_point[0]; });
    }
  }
}

std::string FitCall(const DTypeConfig& config, OperatorCall& call) {
  const bool shares = SharesQparams(call);
  const bool dynamic = config.IsDynamic();
  std::string objection = FitDynamic(dynamic, call);
  const std::pair<CallSide, const DTypeWithConstraints*> sides[] = {
      {CallSide::kInput, &config.input_dtype},
      {CallSide::kWeight, &config.weight_dtype},
      {CallSide::kOutput, &config.output_dtype}};
  for (const auto& [side, bounds] : sides) {
    if (objection.empty()) objection = FitSide(side, *bounds, dynamic, call);
  }
  if (!objection.empty()) return objection;
  if (shares && call.inputs[0]->dtype == call.outputs[0].dtype) {
    const bool by_output = config.output_dtype.scale_exact_match.has_value();
    ShareQparams(call, by_output ? CallSide::kOutput : CallSide::kInput);
  }
  if (!config.bias_dtype) return "";
  const auto dtype = AbiDTypeOf(*config.bias_dtype);
  for (CallTensor* bias : TensorsOf(call, CallSide::kBias)) {
    if (!dtype || !SetBiasDType(call, *bias, *dtype)) {
      return Objection(CallSide::kBias, *bias);
    }
  }
  return "";
}

}  // namespace qconform
