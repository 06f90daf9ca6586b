#include "conformance/compare/hypotheses.h"

#include <algorithm>
#include <cstring>

#include "conformance/compare/window.h"
#include "reference/numerics/requantize.h"
#include "reference/numerics/scheme.h"

namespace qconform {
namespace {

// Each makes its mistake in `call`; false: it cannot be made there.
using Mistake = bool (*)(OperatorCall& call);

bool HasInput(const OperatorCall& call, size_t index) {
  return index < call.inputs.size() && call.inputs[index].has_value();
}

bool ForgetZeroPoint(CallTensor& tensor) {
  const bool any = std::any_of(tensor.zero_point.begin(), tensor.zero_point.end(),
                               [](int32_t zero_point) { return zero_point != 0; });
  tensor.zero_point.assign(tensor.zero_point.size(), 0);
  return any;
}

bool InputZeroPoint(OperatorCall& call) {
  return HasInput(call, 0) && ForgetZeroPoint(*call.inputs[0]);
}

bool WeightZeroPoint(OperatorCall& call) {
  return HasInput(call, 1) && ForgetZeroPoint(*call.inputs[1]);
}

bool OutputZeroPoint(OperatorCall& call) { return ForgetZeroPoint(call.outputs[0]); }

bool FirstScale(OperatorCall& call) {
  if (!HasInput(call, 1) || call.inputs[1]->axis < 0 || call.inputs[1]->scale.empty())
    return false;
  auto& scale = call.inputs[1]->scale;
  scale.assign(scale.size(), scale[0]);
  return true;
}

bool NoBias(OperatorCall& call) {
  if (!HasInput(call, 2)) return false;
  call.inputs[2].reset();
  return true;
}

// Codes in units of the output's scale times the weight's, which the kernel reads in
// units of the input's scale times the weight's.
bool BiasInOutputUnits(OperatorCall& call) {
  if (!HasInput(call, 1) || !HasInput(call, 2)) return false;
  const std::vector<float>& scales = call.inputs[1]->scale;
  const std::vector<float>& output = call.outputs[0].scale;
  CallTensor& bias = *call.inputs[2];
  if (bias.dtype != QC_F32 || output.size() != 1 || scales.empty()) return false;
  for (size_t o = 0; o < static_cast<size_t>(NumElements(bias.shape)); ++o) {
    float real = 0;
    std::memcpy(&real, &bias.data[o * sizeof real], sizeof real);
    const float unit = output[0] * scales[o % scales.size()];
    const int32_t code = RoundToInt32(static_cast<double>(real / unit));
    std::memcpy(&bias.data[o * sizeof code], &code, sizeof code);
  }
  bias.dtype = QC_S32;
  return true;
}

bool NoActivation(OperatorCall& call) {
  if (call.attributes.activation == QC_ACTIVATION_NONE) return false;
  call.attributes.activation = QC_ACTIVATION_NONE;
  return true;
}

bool ReluAtCodeZero(OperatorCall& call) {
  CallTensor& y = call.outputs[0];
  if (call.attributes.activation != QC_ACTIVATION_RELU || y.zero_point.empty())
    return false;
  const CodeBounds bounds = BoundsOf(y);
  call.attributes.activation = QC_ACTIVATION_NONE;
  y.quant_min = static_cast<int32_t>(std::max<int64_t>(bounds.min, 0));
  y.quant_max = static_cast<int32_t>(bounds.max);
  return true;
}

bool Signedness(OperatorCall& call) {
  if (!HasInput(call, 0)) return false;
  CallTensor& x = *call.inputs[0];
  if (x.dtype != QC_U8 && x.dtype != QC_S8) return false;
  x.dtype = x.dtype == QC_U8 ? QC_S8 : QC_U8;
  return true;
}

// Pads the input itself with code 0 and leaves no padding to the operator.
bool RawZeroPadding(OperatorCall& call) {
  if (call.kind != QC_CONV || !HasInput(call, 0)) return false;
  qc_attributes& a = call.attributes;
  CallTensor& x = *call.inputs[0];
  if (AbiItemSize(x.dtype) != 1 || x.zero_point.empty() || x.zero_point[0] == 0)
    return false;
  CallTensor padded = x;
  const auto rank = static_cast<size_t>(a.spatial_rank);
  bool any = false;
  for (size_t d = 0; d < rank; ++d) {
    padded.shape[2 + d] += a.padding_before[d] + a.padding_after[d];
    any |= a.padding_before[d] + a.padding_after[d] > 0;
  }
  padded.data.assign(padded.byte_size(), std::byte{0});
  for (int64_t i = 0; i < NumElements(x.shape); ++i) {
    int64_t rest = i;
    int64_t to = 0;
    int64_t step = 1;
    for (size_t d = x.shape.size(); d-- > 0;) {
      const int64_t before = d < 2 ? 0 : a.padding_before[d - 2];
      to += (rest % x.shape[d] + before) * step;
      rest /= x.shape[d];
      step *= padded.shape[d];
    }
    padded.data[static_cast<size_t>(to)] = x.data[static_cast<size_t>(i)];
  }
  std::fill_n(a.padding_before, 3, 0);
  std::fill_n(a.padding_after, 3, 0);
  x = std::move(padded);
  return any;
}

struct NamedMistake {
  const char* name;
  const char* text;
  Mistake make;
};

constexpr NamedMistake kMistakes[] = {
    {"padding", "equals padding with code 0 instead of the zero point", RawZeroPadding},
    {"bias", "equals the result without the bias", NoBias},
    {"bias unit",
     "equals the result with the bias counted in units of output scale times weight "
     "scale",
     BiasInOutputUnits},
    {"activation", "equals the result without the ReLU", NoActivation},
    {"activation", "equals a ReLU that clamps at code 0, not at the zero point",
     ReluAtCodeZero},
    {"input zero point", "equals the result with an input zero point of 0",
     InputZeroPoint},
    {"weight zero point", "equals the result with a weight zero point of 0",
     WeightZeroPoint},
    {"output zero point", "equals the result with an output zero point of 0",
     OutputZeroPoint},
    {"per channel scales", "equals the result with the first channel's scale for all",
     FirstScale},
    {"signedness", "equals reading the activations with the other sign", Signedness},
};

constexpr int64_t kMostProducts = 20'000'000;  // over all schemes
constexpr int64_t kUsualSchemes = 20;

}  // namespace

std::optional<Cause> FindMistake(const OperatorCall& call, const std::string& scheme,
                                 const std::vector<Bytes>& got) {
  const auto used = ParseScheme(scheme);
  // Of a large call only the usual ones, which come first.
  const int64_t affordable = std::max<int64_t>(
      kUsualSchemes, kMostProducts / std::max<int64_t>(1, Multiplications(call)));
  int64_t tried = 0;
  for (const std::string& other : ReferenceSchemes(call)) {
    if (other == scheme) continue;
    if (++tried > affordable) break;
    const auto outputs = ReferenceOutputs(call, other);
    if (!outputs || *outputs != got) continue;
    const auto parsed = ParseScheme(other);
    const bool same_bias = used && parsed && used->bias == parsed->bias;
    return Cause{same_bias ? "rounding" : "scheme",
                 "equals scheme " + other + ", compared under " + scheme};
  }
  for (const NamedMistake& mistake : kMistakes) {
    OperatorCall wrong = call;
    if (!mistake.make(wrong)) continue;
    if (auto outputs = ReferenceOutputs(wrong, scheme); outputs && *outputs == got)
      return Cause{mistake.name, mistake.text};
  }
  return std::nullopt;
}

}  // namespace qconform
